import { expect, test, vi } from 'vitest'
import { hourMs } from '#lib/shared/time.ts'
import { rateSamples } from '#lib/tables/rates.ts'
import { openConsole } from '../testing/open-console.ts'
import { readRateHistory } from './history.ts'
import { storePastRates } from './past.ts'

test('a fresh demo has 30 days of rates without a gap in any range; a console with samples gets none', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  await storePastRates('sandbox', 'USD')
  const spans = { '1h': 58, '24h': 175, '7d': 165, '30d': 178 } as const
  for (const [range, points] of Object.entries(spans)) {
    const history = await readRateHistory('sandbox', { base: 'USD', currency: 'HKD', range: range as '1h' })
    expect(history.points.length, range).toBeGreaterThan(points)
    expect(history.gaps, range).toEqual([])
  }
  const stored = await desk.db.$count(rateSamples)
  await storePastRates('sandbox', 'USD')
  expect(await desk.db.$count(rateSamples)).toBe(stored)
  const at = new Date(Date.now() - 3 * hourMs)
  await desk.db
    .insert(rateSamples)
    .values({ environment: 'sandbox', baseCurrency: 'EUR', at, rates: { USD: '1.16' }, keptUntil: new Date() })
  await storePastRates('sandbox', 'EUR')
  expect(await desk.db.$count(rateSamples)).toBe(stored + 1)
  vi.stubEnv('BUILT_IN_SERVICE', 'off')
  await storePastRates('sandbox', 'HKD')
  expect(await desk.db.$count(rateSamples)).toBe(stored + 1)
  vi.unstubAllEnvs()
})
