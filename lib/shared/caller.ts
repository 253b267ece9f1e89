import { AsyncLocalStorage } from 'node:async_hooks'
import { processWide } from './process-wide.ts'

/**
 * For whom a read runs. Once `signal` is aborted, its requests to the service and its queries end, and it throws the signal's
 * reason. Each query waits for a turn, where there are turns: so no caller takes every connection of a pool.
 */
export type Caller = {
  signal: AbortSignal
  /** Resolves with how to end the turn. Rejects where none comes in time, and once the signal is aborted. */
  takeTurn: ((signal: AbortSignal) => Promise<() => void>) | null
  /** Called once the read is refused for want of a permission, before the audit entry of that is written. */
  onRefused?: () => void
}

const store = processWide<AsyncLocalStorage<Caller | null>>('carddeskCaller', () => new AsyncLocalStorage())

/** Runs a read for a caller who may leave. */
export function withCaller<Value>(caller: Caller, work: () => Value): Value {
  return store().run(caller, work)
}

/** Runs work that others share, or that must finish once it has started, even if its caller disconnects. */
export function withoutCaller<Value>(work: () => Value): Value {
  return store().run(null, work)
}

/** Undefined in work that goes on without its caller. */
export function currentCaller(): Caller | undefined {
  return store().getStore() ?? undefined
}
