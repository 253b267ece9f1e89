import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryBudget } from './circuit-breaker.ts'

test('retries add at most a tenth of the load, and the floor, however requests fall', () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(400), wanted: fc.nat(4) }), { minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(steps, (steps) => {
      const budget = retryBudget({ share: 0.1, floor: 3, windowMs: 10_000 })
      let now = 0
      const first: number[] = []
      const retried: number[] = []
      for (const { waitMs, wanted } of steps) {
        now += waitMs
        first.push(now)
        budget.noteFirstAttempt(now)
        for (let retry = 0; retry < wanted; retry++) if (budget.takeRetry(now)) retried.push(now)
        const within = (times: number[], windowMs: number) => times.filter((time) => time > now - windowMs).length
        expect(within(retried, 9000)).toBeLessThanOrEqual(3 + 0.1 * within(first, 10_000) + 1)
      }
    }),
  )
})

test('lets a quiet client use the floor, refuses what is beyond it, and gives it back after the window', () => {
  const budget = retryBudget({ share: 0.1, floor: 2, windowMs: 10_000 })
  budget.noteFirstAttempt(0)
  expect([1, 2, 3].map(() => budget.takeRetry(0))).toEqual([true, true, false])
  expect(budget.takeRetry(10_000)).toBe(true)
})

test('grants one more retry for ten more requests', () => {
  const budget = retryBudget({ share: 0.1, floor: 0, windowMs: 10_000 })
  for (let request = 0; request < 9; request++) budget.noteFirstAttempt(0)
  expect(budget.takeRetry(0)).toBe(false)
  budget.noteFirstAttempt(0)
  expect([budget.takeRetry(0), budget.takeRetry(0)]).toEqual([true, false])
})
