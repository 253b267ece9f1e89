import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { 'server-only': new URL('./lib/shared/testing/server-only.ts', import.meta.url).pathname } },
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.tsx'],
    globalSetup: ['lib/db/testing-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
