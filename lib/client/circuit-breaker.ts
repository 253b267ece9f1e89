import { slidingCount } from './sliding-count.ts'

/** Opens after `minimumFailures` and at least `failureShare` of the responses of `windowMs`; tries again after `openMs`. */
export type CircuitBreakerSettings = {
  windowMs: number
  minimumFailures: number
  failureShare: number
  openMs: number
}

/** Permission to send one request; the sender reports its result exactly once. */
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
