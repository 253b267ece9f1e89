import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const fromHere = (file: string) => new URL(file, import.meta.url).pathname

/** CONTRIBUTING.md says which test belongs where, and what the extent of a run is. */
export default defineConfig({
  test: {
    // Here and not in the projects: one PostgreSQL serves them all.
    globalSetup: ['lib/db/testing-setup.ts'],
    // Some tests wait: one worker more than the cores of a small machine keeps these busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Compiled modules are kept in node_modules by their content: compiling them again is a fifth of the work of most files.
    experimental: { fsModuleCache: true },
    projects: [
      project('unit', 1 / 20, {
        include: ['{app,lib}/**/*.test.ts', 'components/**/*.test.{ts,tsx}'],
        exclude: ['**/*.suite.test.ts'],
      }),
      project('suites', process.env.SUITES === 'full' ? 10 : 1, {
        include: ['lib/**/*.suite.test.ts', 'lib/**/*.property.test.ts'],
      }),
    ],
  },
})

function project(
  name: string,
  extent: number,
  files: { include: string[]; exclude?: string[] },
): TestProjectInlineConfiguration {
  return {
    resolve: {
      alias: {
        'server-only': fromHere('./lib/shared/testing/server-only.ts'),
        'next/headers': fromHere('./lib/console/testing/next-headers.ts'),
      },
    },
    test: {
      name,
      ...files,
      provide: { extent },
      setupFiles: ['lib/shared/testing/clean-process.ts'],
      // Loading the same modules again for each file took longer than most files.
      isolate: false,
      // A machine that stalls for a moment is distinguished from a defect, as in the browser tests.
      retry: process.env.CI ? 2 : 0,
      expect: { poll: { timeout: 15_000 } },
      testTimeout: Math.max(2, 20 * extent) * 30_000,
      hookTimeout: 60_000,
    },
  }
}
