/** Opens after `minimumFailures` and at least `failureShare` of the responses of `windowMs`; tries again after `openMs`. */
export type CircuitBreakerSettings = {
  windowMs: number
  minimumFailures: number
  failureShare: number
  openMs: number
}

/** Permission to send one request. The first report counts: a sender may abandon it after any. */
export type Pass = { succeeded: () => void; failed: () => void; abandoned: () => void }
export type CircuitState = 'closed' | 'open' | 'half-open'
type CircuitBreaker = { enter: () => Pass | null; state: () => CircuitState }

/**
 * Protects a service that does not respond, and its callers: while it is open nothing is sent. After `openMs` one
 * request is sent as a probe; its response closes the circuit, its failure opens it again.
 */
export function circuitBreaker(settings: CircuitBreakerSettings, nowMs: () => number): CircuitBreaker {
  const received = slidingCount(settings.windowMs)
  const failed = slidingCount(settings.windowMs)
  let openUntilMs: number | null = null
  let isProbing = false

  function open() {
    openUntilMs = nowMs() + settings.openMs
  }

  function close() {
    openUntilMs = null
    received.clear()
    failed.clear()
  }

  function noteFailure() {
    const now = nowMs()
    failed.add(now)
    const failures = failed.total(now)
    const share = failures / (failures + received.total(now))
    if (failures >= settings.minimumFailures && share >= settings.failureShare) open()
  }

  /** The result of a request that was sent before the circuit opened does not describe the service's present state. */
  const whileClosed = (note: () => void) => () => {
    if (openUntilMs === null) note()
  }
  const ofProbe = (note: () => void) => () => {
    isProbing = false
    note()
  }

  return {
    enter() {
      if (openUntilMs === null) {
        return {
          succeeded: whileClosed(() => received.add(nowMs())),
          failed: whileClosed(noteFailure),
          abandoned: () => undefined,
        }
      }
      if (isProbing || nowMs() < openUntilMs) return null
      isProbing = true
      return { succeeded: ofProbe(close), failed: ofProbe(open), abandoned: ofProbe(() => undefined) }
    },
    state() {
      if (openUntilMs === null) return 'closed'
      return isProbing || nowMs() >= openUntilMs ? 'half-open' : 'open'
    },
  }
}

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

/** Counts what happened during the last `windowMs`, in tenths of it. Times are given, and only go forward. */
type SlidingCount = { add: (nowMs: number) => void; total: (nowMs: number) => number; clear: () => void }

const slices = 10

export function slidingCount(windowMs: number): SlidingCount {
  const sliceMs = windowMs / slices
  let counted: { slice: number; count: number }[] = []

  function current(nowMs: number): number {
    const slice = Math.floor(nowMs / sliceMs)
    counted = counted.filter((entry) => entry.slice > slice - slices)
    return slice
  }

  return {
    add(nowMs) {
      const slice = current(nowMs)
      const last = counted.at(-1)
      if (last?.slice === slice) last.count++
      else counted.push({ slice, count: 1 })
    },
    total(nowMs) {
      current(nowMs)
      return counted.reduce((sum, { count }) => sum + count, 0)
    },
    clear() {
      counted = []
    },
  }
}
