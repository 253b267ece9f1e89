# The built-in service without the console. Build in a checkout of Carddesk: docker build -f docs/deploy/sandbox.Dockerfile -t carddesk-sandbox .
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /carddesk
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm prune --omit=dev

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/carddesk
WORKDIR /carddesk
# Owned by root: the process cannot change what it runs.
COPY --from=build --chown=root:root /carddesk /carddesk
RUN install -d -o node -g node -m 0700 /var/lib/carddesk
USER node
EXPOSE 3000
VOLUME /var/lib/carddesk
HEALTHCHECK --interval=2s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "lib/launch/start.mjs", "--sandbox"]
