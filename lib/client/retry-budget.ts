import { slidingCount } from './sliding-count.ts'

/** Retries may be `share` of the first attempts of the last `windowMs`, and `floor` more, so that a quiet client can retry. */
export type RetryBudgetSettings = { share: number; floor: number; windowMs: number }

type RetryBudget = { noteFirstAttempt: (nowMs: number) => void; takeRetry: (nowMs: number) => boolean }

/** Bounds the load that retries add to a service that fails: a retry that is not taken is not sent. */
export function retryBudget({ share, floor, windowMs }: RetryBudgetSettings): RetryBudget {
  const firstAttempts = slidingCount(windowMs)
  const retries = slidingCount(windowMs)
  return {
    noteFirstAttempt: firstAttempts.add,
    takeRetry(nowMs) {
      if (retries.total(nowMs) + 1 > floor + share * firstAttempts.total(nowMs)) return false
      retries.add(nowMs)
      return true
    },
  }
}
