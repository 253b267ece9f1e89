import { copyFileSync } from 'node:fs'
import { apiPolicy, securityHeaders } from './lib/console/security-headers.ts'

const distDir = process.env.NEXT_DIST_DIR || '.next'
// Next adds the types of its folder to this file: those of a folder of one's own stay out of the project's.
const tsconfigPath = distDir === '.next' ? 'tsconfig.json' : `tsconfig${distDir}.json`
if (tsconfigPath !== 'tsconfig.json') copyFileSync('tsconfig.json', tsconfigPath)

/** @type {import('next').NextConfig} */
const config = {
  distDir,
  poweredByHeader: false,
  reactStrictMode: true,
  // Pictures come as they are: the optimizer would make requests past the HTTP server.
  images: { unoptimized: true },
  typescript: { ignoreBuildErrors: true, tsconfigPath },
  serverExternalPackages: ['pg', 'pino', 'prom-client', 'undici'],
  // Both have the parsers of addresses: the server may not import the hooks, and a browser has them anyway.
  turbopack: { resolveAlias: { 'nuqs/server': { browser: 'nuqs' } } },
  // In development: the input of an action may be a PIN.
  logging: { serverFunctions: false },
  experimental: {
    authInterrupts: true,
    // A file of limits may have 1 MB, and its text is longer on its way to the server action that reads it.
    serverActions: { bodySizeLimit: '3mb' },
    // Fewer and larger files, which compress better: the first page loads less, though later pages share less of it.
    turbopackChunking: { minChunkSize: 400_000 },
  },
  headers: async () => [
    { source: '/:path*', headers: Object.entries(securityHeaders).map(([key, value]) => ({ key, value })) },
    // Embedded views alone may be framed, and their own response says by whom.
    { source: '/((?!embed$).*)', headers: [{ key: 'X-Frame-Options', value: 'DENY' }] },
    // Other origins load it: with `integrity`, as a module, and in pages that require such headers of everything.
    {
      source: '/embed.(js|mjs)',
      headers: [
        { key: 'Access-Control-Allow-Origin', value: '*' },
        { key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' },
      ],
    },
    // A missing file of the build: `lib/launch/static-assets.ts` sends those that there are.
    { source: '/_next/:path*', headers: [{ key: 'Content-Security-Policy', value: "frame-ancestors 'none'" }] },
    {
      source: '/api/:path*',
      headers: [{ key: 'Content-Security-Policy', value: apiPolicy }],
    },
  ],
}

export default config
