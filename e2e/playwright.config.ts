import { defineConfig, devices } from '@playwright/test'
import { serverOfWorker, serversOfRun } from './server-of-worker.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // Each worker has a server of its own and takes file after file: specs that move the clock or arm faults disturb no other.
  workers: serversOfRun().length || 1,
  forbidOnly: Boolean(process.env.CI),
  // A machine that stalls for a moment is not a defect: what passes only when repeated is reported as flaky.
  retries: process.env.CI ? 2 : 0,
  reporter: [['list']],
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: serverOfWorker()?.url,
    // Nothing waits for a movement to end.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every test costs more than running it.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      // Both cores are busy with two workers: more threads and processes of a browser only add to the work. A page lives for seconds:
      // optimizing its script costs a fifth of the run, and saves less.
      args: ['--js-flags=--single-threaded --no-opt', '--in-process-gpu'],
    },
  },
})
