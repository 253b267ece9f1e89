import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayBeDeletedNow } from '#lib/contract/webhook-deletion.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { assessHealth, type Watched } from './health.ts'
import type { WatchedTransition } from './types.ts'

const start = Date.parse('2026-08-01T00:00:00.000Z')
const pollMs = 15 * secondMs

function transition(
  statusBefore: string | null,
  statusAfter: string,
  readAtMs: number,
  more: Partial<WatchedTransition> = {},
): WatchedTransition {
  return {
    statusBefore,
    statusAfter,
    readAtMs,
    notBeforeMs: statusBefore === null ? null : readAtMs - pollMs,
    lastFailureAtMs: null,
    queuedMessages: 0,
    ...more,
  }
}

function watched(status: string, transitions: WatchedTransition[], more: Partial<Watched> = {}): Watched {
  return { status, queuedMessages: 3, lastSuccessAtMs: null, lastFailureAtMs: null, transitions, ...more }
}

/** Suspended at `start`, polled 7 s later, by a service that counts failed pings as failed deliveries. */
function suspendedAt(nowMs: number): Watched {
  const pings = Math.floor((nowMs - start) / (5 * minuteMs))
  return watched(
    'suspended',
    [transition('unhealthy', 'suspended', start + 7 * secondMs, { lastFailureAtMs: start })],
    {
      lastFailureAtMs: start + pings * 5 * minuteMs,
    },
  )
}

describe('escalation', () => {
  test.each([
    [0, 'suspended'],
    [17 * hourMs, 'suspended'],
    [18 * hourMs - 1, 'suspended'],
    [18 * hourMs, 'six-hours'],
    [23 * hourMs - 1, 'six-hours'],
    [23 * hourMs, 'one-hour'],
    [24 * hourMs + minuteMs, 'one-hour'],
  ])('%d ms after the suspension the level is %s', (passedMs, level) => {
    const nowMs = start + passedMs
    expect(assessHealth(suspendedAt(nowMs), nowMs).level).toBe(level)
  })

  test.each([
    ['healthy', [transition(null, 'healthy', start)], null],
    ['unhealthy', [transition('healthy', 'unhealthy', start)], 'unhealthy'],
    ['deleted', [transition('suspended', 'deleted', start)], 'deleted'],
    ['deleted', [transition('unhealthy', 'deleted', start)], 'deleted'],
    ['deleted', [transition('healthy', 'deleted', start)], null],
    ['deleted', [transition(null, 'deleted', start)], null],
    ['teleported', [transition('healthy', 'teleported', start)], null],
    ['healthy', [], null],
  ] as const)('%s after %j is the level %s', (status, transitions, level) => {
    expect(assessHealth(watched(status, [...transitions]), start + hourMs).level).toBe(level)
  })
})

test('a webhook that was created since the last look and failed at once is unhealthy since that failure', () => {
  const created = transition(null, 'unhealthy', start + pollMs, { notBeforeMs: start, lastFailureAtMs: start + 3000 })
  const { since } = assessHealth(watched('unhealthy', [created]), start + hourMs)
  expect(since).toMatchObject({ atMs: start + 3000, basis: 'service' })
  const unknown = transition(null, 'unhealthy', start + pollMs, { notBeforeMs: null, lastFailureAtMs: start + 3000 })
  expect(assessHealth(watched('unhealthy', [unknown]), start + hourMs).since).toBeNull()
})

/** When the attempts at a message are made, from the first. */
const attemptsMs = [0, 5, 305, 2105, 9305, 27_305, 63_305].map((seconds) => seconds * secondMs)

describe('how long it has been unhealthy', () => {
  const readAtMs = start + 9 * hourMs
  const gap = (lastFailureAtMs: number | null, notBeforeMs: number | null = start) =>
    transition('healthy', 'unhealthy', readAtMs, { notBeforeMs, lastFailureAtMs })

  test('after a time without a look, the last failure is only the latest that it can be', () => {
    const retriedAtMs = readAtMs - hourMs
    const { since } = assessHealth(watched('unhealthy', [gap(retriedAtMs)]), readAtMs)
    expect(since).toMatchObject({ earliestMs: start, latestMs: retriedAtMs, basis: 'bounds' })
  })

  test('a success after the last look narrows it down, to the second where no retry fits between', () => {
    const judged = (successMs: number) =>
      assessHealth(watched('unhealthy', [gap(start + hourMs)], { lastSuccessAtMs: successMs }), readAtMs).since
    expect(judged(start + minuteMs)).toMatchObject({ earliestMs: start + minuteMs, latestMs: start + hourMs })
    expect(judged(start + hourMs - 4 * secondMs)).toMatchObject({ atMs: start + hourMs, basis: 'service' })
    expect(judged(start + hourMs - 5 * secondMs)).toMatchObject({ latestMs: start + hourMs, basis: 'polls' })
  })

  test('one that was unhealthy at the first look is bounded by its last success, where it had one', () => {
    const first = [gap(start + hourMs, null)]
    expect(assessHealth(watched('unhealthy', first), readAtMs).since).toBeNull()
    expect(assessHealth(watched('unhealthy', first, { lastSuccessAtMs: start }), readAtMs).since).toMatchObject({
      earliestMs: start,
      latestMs: start + hourMs,
      basis: 'bounds',
    })
  })

  test('one that was well between two looks which both saw it unhealthy is so since after that success', () => {
    const failedAtMs = readAtMs + 3 * hourMs
    const more = { lastSuccessAtMs: readAtMs + 2 * hourMs, lastFailureAtMs: failedAtMs }
    expect(assessHealth(watched('unhealthy', [gap(start)], more), failedAtMs).since).toMatchObject({
      earliestMs: more.lastSuccessAtMs,
      latestMs: failedAtMs,
    })
  })

  test('true histories under looks at any time: the bounds hold the first failure, and what is called known is it', () => {
    const polls = fc.record({
      beforeMs: fc.integer({ min: 1, max: 8 * hourMs }),
      successMs: fc.option(fc.integer({ min: 1, max: 8 * hourMs }), { nil: null }),
      afterMs: fc.integer({ min: 0, max: 17 * hourMs }),
    })
    fc.assert(
      fc.property(polls, ({ beforeMs, successMs, afterMs }) => {
        const lastFailureAtMs = start + (attemptsMs.findLast((atMs) => atMs <= afterMs) ?? 0)
        const observed = transition('healthy', 'unhealthy', start + afterMs, {
          notBeforeMs: start - beforeMs,
          lastFailureAtMs,
        })
        const lastSuccessAtMs = successMs === null ? null : start - successMs
        const { since } = assessHealth(watched('unhealthy', [observed], { lastSuccessAtMs }), start + afterMs)
        expect(since?.earliestMs).toBeLessThanOrEqual(start)
        expect(since?.latestMs).toBeGreaterThanOrEqual(start)
        if (since?.basis === 'service') expect(since.atMs).toBe(start)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('when it was deleted', () => {
  const readAtMs = start + 9 * hourMs
  const failedAtMs = start + 6 * hourMs
  const deleted = (statusBefore: string, lastFailureAtMs: number | null) =>
    watched('deleted', [transition(statusBefore, 'deleted', readAtMs, { notBeforeMs: start, lastFailureAtMs })])

  test('after a clock jump no failure is dated after the deletion, which comes with the last failed ping', () => {
    expect(assessHealth(deleted('suspended', failedAtMs), readAtMs).since).toEqual({
      atMs: failedAtMs,
      earliestMs: failedAtMs,
      latestMs: failedAtMs + 5 * minuteMs,
      basis: 'bounds',
    })
  })

  test('after a jump over its suspension, or where it was removed manually, the last poll is the latest bound', () => {
    for (const status of ['unhealthy', 'healthy']) {
      expect(assessHealth(deleted(status, failedAtMs), readAtMs).since).toEqual({
        atMs: failedAtMs,
        earliestMs: failedAtMs,
        latestMs: readAtMs,
        basis: 'bounds',
      })
    }
    const healed = { ...deleted('suspended', failedAtMs), lastSuccessAtMs: failedAtMs + hourMs }
    expect(assessHealth(healed, readAtMs).since).toMatchObject({ earliestMs: failedAtMs + hourMs, latestMs: readAtMs })
  })

  test('without a failure since the look before it lies between the two looks', () => {
    for (const failure of [null, start - hourMs]) {
      expect(assessHealth(deleted('suspended', failure), readAtMs).since).toMatchObject({
        earliestMs: start,
        latestMs: readAtMs,
        basis: 'bounds',
      })
    }
  })
})

describe('how long it has been suspended', () => {
  test('is known to the second where the last failure lies between two looks', () => {
    const judged = assessHealth(suspendedAt(start + 7 * secondMs), start + 7 * secondMs)
    expect(judged.since).toEqual({ atMs: start, earliestMs: start, latestMs: start, basis: 'service' })
    expect(judged.suspension?.deletion.atMs).toBe(start + dayMs)
    expect(judged.suspension?.nextPing.atMs).toBe(start + 5 * minuteMs)
    expect(judged.suspension?.pingNumber).toBe(1)
  })

  test('stays known while later pings fail: each is a whole number of ping intervals later', () => {
    for (const passedMs of [5 * minuteMs, hourMs + secondMs, 23 * hourMs + 59 * minuteMs]) {
      const nowMs = start + passedMs
      const { since, suspension } = assessHealth(suspendedAt(nowMs), nowMs)
      expect(since).toMatchObject({ atMs: start, basis: 'service' })
      expect(suspension?.nextPing.atMs).toBe(start + (Math.floor(passedMs / (5 * minuteMs)) + 1) * 5 * minuteMs)
    }
  })

  test('has a margin where the service reports no failure', () => {
    const { since, suspension } = assessHealth(
      watched('suspended', [transition('unhealthy', 'suspended', start + pollMs, { notBeforeMs: start })]),
      start + hourMs,
    )
    expect(since).toEqual({ atMs: start + pollMs / 2, earliestMs: start, latestMs: start + pollMs, basis: 'polls' })
    expect(suspension?.deletion).toMatchObject({ earliestMs: start + dayMs, latestMs: start + dayMs + pollMs })
  })

  test('is worked out from the retry schedule where the clock jumped over the suspension', () => {
    const retriesMs = 27 * hourMs + 35 * minuteMs + 5 * secondMs
    const readAtMs = start + 40 * hourMs
    const suspendedMs = start + retriesMs
    const pings = Math.floor((readAtMs - suspendedMs) / (5 * minuteMs))
    const { since } = assessHealth(
      watched(
        'suspended',
        [
          transition('healthy', 'unhealthy', start + 5 * secondMs, { lastFailureAtMs: start }),
          transition('unhealthy', 'suspended', readAtMs, {
            notBeforeMs: start + minuteMs,
            lastFailureAtMs: suspendedMs + pings * 5 * minuteMs,
          }),
        ],
        { lastFailureAtMs: suspendedMs + pings * 5 * minuteMs },
      ),
      readAtMs,
    )
    expect(since).toMatchObject({ atMs: suspendedMs, basis: 'schedule' })
  })

  test('is not worked out from a failure that may have been any of the retries', () => {
    const retriedAtMs = start + 9 * hourMs
    const readAtMs = start + 40 * hourMs
    const { since, suspension } = assessHealth(
      watched(
        'suspended',
        [
          transition('healthy', 'unhealthy', retriedAtMs + minuteMs, {
            notBeforeMs: start,
            lastFailureAtMs: retriedAtMs,
          }),
          transition('unhealthy', 'suspended', readAtMs, {
            notBeforeMs: retriedAtMs + minuteMs,
            lastFailureAtMs: readAtMs - minuteMs,
          }),
        ],
        { lastFailureAtMs: readAtMs - minuteMs },
      ),
      readAtMs,
    )
    expect(since).toMatchObject({ earliestMs: readAtMs - dayMs, latestMs: readAtMs - minuteMs, basis: 'bounds' })
    expect(suspension?.deletionDueMs).toBe(readAtMs)
  })

  test('is bounded where it was suspended at the first look: a day at most, or it would be deleted', () => {
    const { since, suspension, level } = assessHealth(
      watched('suspended', [transition(null, 'suspended', start)]),
      start + hourMs,
    )
    expect(since).toMatchObject({ basis: 'bounds', earliestMs: start + hourMs - dayMs, latestMs: start })
    expect(suspension?.deletion.earliestMs).toBe(start + hourMs)
    expect(level).toBe('one-hour')
    expect(suspension && mayBeDeletedNow(suspension, start + hourMs), 'there is nothing to count down to').toBe(true)
  })

  test('counts down to the first bound while that is still to come', () => {
    const { suspension } = assessHealth(
      watched('suspended', [transition('unhealthy', 'suspended', start, { notBeforeMs: start - 3 * hourMs })]),
      start,
    )
    expect(suspension?.deletion.basis).toBe('bounds')
    expect(suspension?.pingNumber).toBeNull()
    expect(suspension && mayBeDeletedNow(suspension, start)).toBe(false)
  })

  test('for all reported values the bounds hold, in order, and no figure is NaN', () => {
    const time = fc.option(fc.integer({ min: start - 3 * dayMs, max: start + 3 * dayMs }), { nil: null })
    const status = fc.constantFrom('healthy', 'unhealthy', 'suspended', 'deleted', 'new')
    const change = fc.record({
      statusBefore: fc.option(status, { nil: null }),
      statusAfter: status,
      readAtMs: fc.integer({ min: start, max: start + dayMs }),
      notBeforeMs: time,
      lastFailureAtMs: time,
      queuedMessages: fc.nat(),
    })
    const anything = fc.record({
      status,
      queuedMessages: fc.nat(),
      lastSuccessAtMs: time,
      lastFailureAtMs: time,
      transitions: fc.array(change, { maxLength: 4 }),
    })
    fc.assert(
      fc.property(anything, fc.integer({ min: start, max: start + 2 * dayMs }), (any, nowMs) => {
        const { since, suspension } = assessHealth(any, nowMs)
        for (const estimate of [since, suspension?.deletion, suspension?.nextPing]) {
          if (!estimate) continue
          for (const value of [estimate.atMs, estimate.earliestMs, estimate.latestMs]) expect(value).not.toBeNaN()
          expect(estimate.earliestMs).toBeLessThanOrEqual(estimate.latestMs)
        }
        if (suspension) expect(suspension.deletionDueMs).toBeLessThanOrEqual(suspension.deletion.latestMs + 60_000)
        expect(suspension !== null).toBe(any.status === 'suspended')
      }),
      { numRuns: 2000 },
    )
  })

  test('true histories under looks at any time: what is called known is right, what is bounded holds it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 * hourMs }),
        fc.integer({ min: 0, max: 8 * hourMs }),
        fc.integer({ min: 0, max: 12 * hourMs }),
        fc.boolean(),
        (beforeMs, afterMs, laterMs, countsPings) => {
          const failureAt = (atMs: number) =>
            countsPings ? start + Math.floor((atMs - start) / (5 * minuteMs)) * 5 * minuteMs : start
          const readAtMs = start + afterMs
          const nowMs = readAtMs + laterMs
          const { since, suspension } = assessHealth(
            watched(
              'suspended',
              [
                transition('unhealthy', 'suspended', readAtMs, {
                  notBeforeMs: start - beforeMs,
                  lastFailureAtMs: failureAt(readAtMs),
                }),
              ],
              { lastFailureAtMs: failureAt(nowMs) },
            ),
            nowMs,
          )
          expect(since?.earliestMs).toBeLessThanOrEqual(start)
          expect(since?.latestMs).toBeGreaterThanOrEqual(start)
          if (since?.basis === 'service') expect(since.atMs).toBe(start)
          if (suspension) expect(suspension.deletion.earliestMs).toBeLessThanOrEqual(start + dayMs)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
