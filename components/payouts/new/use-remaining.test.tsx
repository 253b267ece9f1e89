import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countdownText, elapsedMs, remainingMs, type Stamp, stampNow } from './use-quote.ts'

const fetchedAt: Stamp = { wallMs: 1_800_000_000_000, monotonicMs: 10_000 }
const after = (ms: number): Stamp => ({ wallMs: fetchedAt.wallMs + ms, monotonicMs: fetchedAt.monotonicMs + ms })
const quote = { fetchedAt, expiresInMs: 60_000, expiresAt: '2030-01-01T00:01:00.000Z' }
const madeAtMs = Date.parse('2030-01-01T00:00:00.000Z')

describe('without a clock that can be read', () => {
  test('a quote runs from when its request left', () => {
    expect([0, 1000, 59_999, 60_000, 61_000].map((ms) => remainingMs(quote, null, after(ms)))).toEqual([
      60_000, 59_000, 1, 0, 0,
    ])
  })

  test('a browser whose clock is days off counts the same', () => {
    const off = { ...quote, fetchedAt: { wallMs: 0, monotonicMs: 10_000 } }
    expect(remainingMs(off, null, { wallMs: 20_000, monotonicMs: 30_000 })).toBe(40_000)
  })

  test.each([
    ['sleeps', { wallMs: fetchedAt.wallMs + 50_000, monotonicMs: fetchedAt.monotonicMs + 2000 }, 10_000],
    [
      'has its clock put back',
      { wallMs: fetchedAt.wallMs - 3_600_000, monotonicMs: fetchedAt.monotonicMs + 50_000 },
      10_000,
    ],
  ])('a machine that %s in between gains no time', (_, now, left) => {
    expect(remainingMs(quote, null, now)).toBe(left)
  })

  test('a clock known only from Date headers is not used: it may be minutes off', () => {
    const reading = { source: 'responses' as const, serviceNowMs: madeAtMs + 600_000, fetchedAt: after(1000) }
    expect(remainingMs(quote, reading, after(2000))).toBe(58_000)
  })
})

describe('with the service’s clock', () => {
  const reported = (serviceMs: number, atMs: number) => ({
    source: 'clock' as const,
    serviceNowMs: madeAtMs + serviceMs,
    fetchedAt: after(atMs),
  })

  test('a clock that is moved past the expiry ends the quote at once', () => {
    expect(remainingMs(quote, reported(120_000, 5000), after(5000))).toBe(0)
  })

  test('a clock that is moved part of the way takes that part', () => {
    expect(remainingMs(quote, reported(35_000, 5000), after(7000))).toBe(23_000)
  })

  test('a clock that is behind gives no time back', () => {
    expect(remainingMs(quote, reported(-600_000, 5000), after(5000))).toBe(55_000)
  })

  test('a reading from before the request is not this quote’s', () => {
    const old = { source: 'clock' as const, serviceNowMs: madeAtMs + 600_000, fetchedAt: after(-1000) }
    expect(remainingMs(quote, old, after(5000))).toBe(55_000)
  })
})

test('with any delay and clock offset: never more than the service still accepts, never below zero', () => {
  const delay = fc.integer({ min: 0, max: 20_000 })
  fc.assert(
    fc.property(
      fc.integer({ min: -1e12, max: 1e12 }),
      delay,
      delay,
      delay,
      fc.integer({ min: 0, max: 300_000 }),
      (offsetMs, toService, untilPoll, pollDelay, movedMs) => {
        const serviceAt = (ms: number) => ms + offsetMs
        const created = serviceAt(fetchedAt.wallMs + toService)
        const timed = { fetchedAt, expiresInMs: 60_000, expiresAt: new Date(created + 60_000).toISOString() }
        const pollRequested = after(untilPoll)
        const readAt = pollRequested.wallMs + pollDelay
        const reading = {
          source: 'clock' as const,
          serviceNowMs: serviceAt(readAt) + movedMs,
          fetchedAt: pollRequested,
        }
        const now = after(untilPoll + pollDelay + 500)
        const trulyLeft = created + 60_000 - (serviceAt(now.wallMs) + movedMs)
        const left = remainingMs(timed, reading, now)
        expect(left).toBeLessThanOrEqual(Math.max(0, trulyLeft))
        expect(left).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: 2000 },
  )
})

test('a countdown rounds up to whole seconds: 0:00 only means expired', () => {
  expect([60_000, 59_001, 42_100, 1, 0, -5, 725_000, 14_399_500].map(countdownText)).toEqual([
    '1:00',
    '1:00',
    '0:43',
    '0:01',
    '0:00',
    '0:00',
    '12:05',
    '4 h 0 min',
  ])
})

describe('what has passed', () => {
  const since = { wallMs: 1_000_000, monotonicMs: 500 }

  test.each([
    ['both clocks run', { wallMs: 1_004_000, monotonicMs: 4500 }, 4000],
    ['the machine slept and only the wall clock ran', { wallMs: 1_060_000, monotonicMs: 600 }, 60_000],
    ['the wall clock was put back', { wallMs: 900_000, monotonicMs: 4500 }, 4000],
    ['the wall clock was put forward', { wallMs: 1_500_000, monotonicMs: 4500 }, 500_000],
    ['nothing has passed', since, 0],
    ['both clocks say less than before', { wallMs: 0, monotonicMs: 0 }, 0],
  ])('%s: it is never too little', (_, now, passed) => {
    expect(elapsedMs(since, now)).toBe(passed)
  })

  test('a stamp is of now', () => {
    const before = stampNow()
    expect(elapsedMs(before, stampNow())).toBeLessThan(1000)
  })
})
