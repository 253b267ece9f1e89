import { setTimeout as delay } from 'node:timers/promises'
import { secondMs } from '#lib/shared/time.ts'

/** A load balancer checks at least this often, and takes a server out at the third failure at the latest. */
const checkMs = 5 * secondMs
const failuresToLeave = 3
const mostLeavingMs = 10 * secondMs
/** From the last failed check until a load balancer has acted on it. */
const lastRequestsMs = 250

/**
 * Lets load balancers send their requests elsewhere before this server refuses them: once it leaves, checks of its readiness fail, and
 * everything else is still served until each of them knows. Where nobody checks, it leaves at once.
 */
export function createRotation() {
  /** The times of the last two checks, and the failed ones, by the address of a load balancer. */
  const checks = new Map<string, { at: number; before: number; failures: number }>()
  let isLeaving = false
  const isUntold = ({ at, before, failures }: { at: number; before: number; failures: number }) =>
    Date.now() - at < checkMs && at - before < checkMs && failures < failuresToLeave
  return {
    /** Whether the request is a check of a server that leaves. */
    isLeft(target: string, from: string): boolean {
      if (target !== '/api/health/ready') return false
      // Anybody may check.
      if (checks.size > 100) checks.clear()
      const { at, failures } = checks.get(from) ?? { at: -Infinity, failures: 0 }
      checks.set(from, { at: Date.now(), before: at, failures: failures + (isLeaving ? 1 : 0) })
      return isLeaving
    },
    async leave(): Promise<void> {
      isLeaving = true
      const isWatched = () => [...checks.values()].some(isUntold)
      if (!isWatched()) return
      const deadline = Date.now() + mostLeavingMs
      while (isWatched() && Date.now() < deadline) await delay(25)
      await delay(lastRequestsMs)
    },
  }
}
