import { expect, test } from 'vitest'
import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { afterAttempt, attemptedAt, type DeliveryState } from './schedule.ts'

const start = new Date('2026-03-01T00:00:00Z')

function failing(from: DeliveryState, times: number): DeliveryState[] {
  const states: DeliveryState[] = []
  let state = from
  for (let attempt = 0; attempt < times; attempt += 1) {
    state = afterAttempt(state, { succeeded: false, at: state.dueAt ?? start })
    states.push(state)
  }
  return states
}

const gaps = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs]
const fresh: DeliveryState[] = [
  { status: 'created', attempts: 0, dueAt: null },
  { status: 'healthy', attempts: 0, dueAt: null },
]

test.each(fresh)(
  'eight attempts at a message of a $status webhook, with the decided gaps; then it is suspended',
  (state) => {
    const states = failing(state, 8)
    expect(states.map(({ status }) => status)).toEqual([...gaps.map(() => 'unhealthy'), 'error'])
    let at = start.getTime()
    for (const [place, gap] of [...gaps, 5 * minuteMs].entries()) {
      expect(states[place]?.dueAt?.getTime()).toBe((at += gap))
    }
  },
)

test('the failure of the 288th ping removes a webhook, 24 hours after it was suspended', () => {
  const states = failing({ status: 'error', attempts: 0, dueAt: new Date(start.getTime() + 5 * minuteMs) }, 288)
  expect(states.slice(0, -1).every(({ status }) => status === 'error')).toBe(true)
  expect(states.at(-2)?.dueAt?.getTime()).toBe(start.getTime() + 24 * hourMs)
  expect(states.at(-1)).toEqual({ status: 'removed', attempts: 288, dueAt: null })
})

test.each(['created', 'healthy', 'unhealthy', 'error'] as const)(
  'a success makes a webhook in %s healthy',
  (status) => {
    expect(afterAttempt({ status, attempts: 3, dueAt: start }, { succeeded: true, at: start })).toEqual({
      status: 'healthy',
      attempts: 0,
      dueAt: null,
    })
  },
)

test('an attempt counts for the time it was due, except after more than a minute without a running process', () => {
  const later = (ms: number) => new Date(start.getTime() + ms)
  expect(attemptedAt(start, later(minuteMs))).toEqual(start)
  expect(attemptedAt(start, later(minuteMs + 1))).toEqual(later(minuteMs + 1))
  expect(attemptedAt(null, later(1))).toEqual(later(1))
})

test('moving the clock makes the attempts due since then at their own times, however far it is ahead', () => {
  const later = (ms: number) => new Date(start.getTime() + ms)
  expect(attemptedAt(start, later(24 * hourMs), start)).toEqual(start)
  expect(attemptedAt(start, later(24 * hourMs), later(1))).toEqual(later(24 * hourMs))
})
