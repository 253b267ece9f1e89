import { expect, onTestFinished, test, vi } from 'vitest'
import { hourMs } from '#lib/shared/time.ts'
import { rateSamples } from '#lib/tables/rates.ts'
import { toSettings, startProcess } from '../testing/console-process.ts'
import { openConsole } from '../testing/open-console.ts'
import { rateReadingsDone, sampleRates } from './sample.ts'

test('three console processes that sample at the same moment send one request', { timeout: 120_000 }, async () => {
  const desk = await openConsole({ seeded: 1 })
  onTestFinished(rateReadingsDone)
  const program = new URL('../testing/rates-child.ts', import.meta.url)
  const others = [1, 2].map(() => startProcess(program, toSettings(desk)))
  const wait = { timeout: 90_000, interval: 20 }
  await vi.waitFor(() => expect(others.map(({ output }) => output())).toEqual(['ready\n', 'ready\n']), wait)
  for (const { child } of others) child.stdin.write('now\n')
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(['USD', 'HKD'].map((base) => sampleRates('sandbox', base, hourMs)))
  }
  await Promise.all(others.map(({ exited }) => exited))
  expect(others.map(({ output }) => output())).toEqual(['ready\nsampled\n', 'ready\nsampled\n'])
  expect(desk.requests.get('/rates')).toBe(2)
  expect(await desk.db.select().from(rateSamples)).toHaveLength(2)
})
