import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { minuteMs } from '#lib/shared/time.ts'

/**
 * The requests that the index may make for one kind of record, in this process: the rest of the service's rate limit is for staff. What is
 * not used is saved for a minute at most.
 */
export function requestAllowance(kind: string, perMinute: number) {
  const state = globalSingleton(`carddeskRequestAllowance ${kind}`, () => ({ left: perMinute, refilledAt: Date.now() }))
  return {
    /** Takes a request that depends on it; false where none is left. */
    take(): boolean {
      const one = state()
      const now = Date.now()
      one.left = Math.min(perMinute, one.left + ((now - one.refilledAt) / minuteMs) * perMinute)
      one.refilledAt = now
      if (one.left < 1) return false
      one.left -= 1
      return true
    },
    /** Counts a request that is made anyway, such as the next page of a list. */
    spend(): void {
      state().left -= 1
    },
  }
}
