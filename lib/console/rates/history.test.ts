import * as fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RateRange } from '#lib/api/rates.ts'
import { amount } from '#lib/shared/money.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { rateSamples } from '#lib/tables/rates.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { gapMs, findGaps, rangeSpans, readRateHistory } from './history.ts'
import type { RatePoint } from './types.ts'

const now = Date.parse('2026-11-21T06:30:07.123Z')

type Sample = { agoMs: number; rate: string }

async function openDesk(): Promise<TestConsole> {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  return desk
}

async function keepSamples({ db }: TestConsole, samples: readonly Sample[]): Promise<void> {
  await db.delete(rateSamples)
  if (samples.length === 0) return
  await db.insert(rateSamples).values(
    samples.map(({ agoMs, rate }) => ({
      environment: 'sandbox' as const,
      baseCurrency: 'USD',
      at: new Date(now - agoMs),
      rates: { HKD: rate, ...(agoMs % 2 === 0 ? { EUR: '0.86' } : {}) },
      keptUntil: new Date(now + dayMs),
    })),
  )
}

/** The same in plain arithmetic over all samples. */
function expectedPoints(samples: readonly Sample[], range: RateRange): RatePoint[] {
  const { spanMs, bucketMs } = rangeSpans[range]
  const inside = samples
    .map(({ agoMs, rate }) => ({ atMs: now - agoMs, rate }))
    .filter(({ atMs }) => atMs >= now - spanMs && atMs <= now)
    .sort((one, other) => one.atMs - other.atMs)
  const spans = Map.groupBy(inside, ({ atMs }) => Math.floor(atMs / bucketMs))
  return [...spans.values()].map((span) => {
    const sorted = span.map(({ rate }) => rate).sort((one, other) => amount(one).comparedTo(other))
    return {
      fromMs: span.at(0)?.atMs ?? 0,
      toMs: span.at(-1)?.atMs ?? 0,
      open: span.at(0)?.rate ?? '',
      low: sorted.at(0) ?? '',
      high: sorted.at(-1) ?? '',
      close: span.at(-1)?.rate ?? '',
      samples: span.length,
    }
  })
}

const rateTexts = fc.integer({ min: 77_000_001, max: 78_999_999 }).map((digits) => {
  const text = String(digits)
  return `${text.slice(0, 1)}.${text.slice(1).replace(/0+$/, '')}`
})

test('open, low, high and close of each span are those of its samples, in every range', async () => {
  const desk = await openDesk()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<RateRange>('1h', '24h', '7d', '30d').chain((range) =>
        fc.tuple(
          fc.constant(range),
          fc.uniqueArray(
            fc.record({
              agoMs: fc
                .integer({ min: -5, max: Math.floor((rangeSpans[range].spanMs * 1.05) / 500) })
                .map((half) => half * 500),
              rate: rateTexts,
            }),
            { maxLength: 300, selector: ({ agoMs }) => agoMs },
          ),
        ),
      ),
      async ([range, samples]) => {
        await keepSamples(desk, samples)
        const history = await readRateHistory('sandbox', { base: 'USD', currency: 'HKD', range })
        const points = expectedPoints(samples, range)
        expect(history.points).toEqual(points)
        expect(history.points.length).toBeLessThanOrEqual(181)
        const all = points.flatMap(({ low, high }) => [low, high]).sort((one, other) => amount(one).comparedTo(other))
        expect([history.low, history.high]).toEqual([all.at(0) ?? null, all.at(-1) ?? null])
        const shortestMs = Math.max(gapMs, 1.25 * rangeSpans[range].bucketMs)
        expect(history.gaps).toEqual(findGaps(points, history.fromMs, history.toMs, shortestMs))
        expect(history.movement === null).toBe(points.length === 0)
      },
    ),
    { numRuns: 60 },
  )
})

test('a minute-by-minute hour has no gap; where the console was not running there is one, to the very samples', async () => {
  const desk = await openDesk()
  const everyMinute = Array.from({ length: 60 }, (_, minute) => ({ agoMs: minute * minuteMs, rate: '7.80' }))
  await keepSamples(desk, everyMinute)
  const read = () => readRateHistory('sandbox', { base: 'USD', currency: 'HKD', range: '1h' })
  expect((await read()).gaps).toEqual([])
  await keepSamples(
    desk,
    everyMinute.filter(({ agoMs }) => agoMs < 10 * minuteMs || agoMs > 30 * minuteMs),
  )
  expect((await read()).gaps).toEqual([{ fromMs: now - 31 * minuteMs, toMs: now - 9 * minuteMs }])
})

test('a range that the console did not live through begins with a gap; one without samples is a gap', async () => {
  const desk = await openDesk()
  await keepSamples(desk, [{ agoMs: minuteMs, rate: '7.8' }])
  expect(await readRateHistory('sandbox', { base: 'USD', currency: 'HKD' })).toMatchObject({
    range: '24h',
    gaps: [{ fromMs: now - dayMs, toMs: now - minuteMs }],
    movement: { direction: 'same', percent: '0.0000' },
  })
  expect(await readRateHistory('sandbox', { base: 'USD', currency: 'JPY', range: '1h' })).toMatchObject({
    points: [],
    low: null,
    high: null,
    movement: null,
    gaps: [{ fromMs: now - hourMs, toMs: now }],
  })
})

test('samples that lack the currency are no samples of it', async () => {
  const desk = await openDesk()
  await keepSamples(desk, [
    { agoMs: 2 * secondMs, rate: '7.8' },
    { agoMs: 3001, rate: '7.9' },
  ])
  const { points } = await readRateHistory('sandbox', { base: 'USD', currency: 'EUR', range: '1h' })
  expect(points.map(({ samples }) => samples)).toEqual([1])
})

test('gaps are longer than three minutes, never overlap, and cover all that is further apart', () => {
  const spans = fc
    .array(
      fc.record({
        pauseMs: fc.integer({ min: 0, max: 10 * minuteMs }),
        lengthMs: fc.integer({ min: 0, max: minuteMs }),
      }),
    )
    .map((steps) => {
      let atMs = 0
      return steps.map(({ pauseMs, lengthMs }) => {
        const fromMs = atMs + pauseMs
        atMs = fromMs + lengthMs
        return { fromMs, toMs: atMs }
      })
    })
  fc.assert(
    fc.property(spans, fc.integer({ min: 0, max: 10 * minuteMs }), (points, restMs) => {
      const endMs = (points.at(-1)?.toMs ?? 0) + restMs
      const gaps = findGaps(points, 0, endMs)
      const known = [0, ...points.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), endMs]
      for (let index = 0; index < known.length - 1; index += 2) {
        const [fromMs = 0, toMs = 0] = known.slice(index, index + 2)
        const found = gaps.some((gap) => gap.fromMs === fromMs && gap.toMs === toMs)
        expect(found).toBe(toMs - fromMs > gapMs)
      }
      expect(gaps.length).toBeLessThanOrEqual(points.length + 1)
    }),
    { numRuns: 2_000 },
  )
})

test('a wrong range or currency is refused with its field', async () => {
  await openDesk()
  await expect(readRateHistory('sandbox', { base: 'usd', currency: 'HKD', range: '2h' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    message: expect.stringMatching(/base .*; range must be one of 1h, 24h, 7d, 30d/),
  })
})
