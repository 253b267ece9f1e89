import { AsyncLocalStorage } from 'node:async_hooks'

type Store = AsyncLocalStorage<AbortSignal | null>
const globals = globalThis as typeof globalThis & { carddeskCaller?: Store }

// One a process, also where a bundler loads this module twice.
const store = (): Store => (globals.carddeskCaller ??= new AsyncLocalStorage())

/**
 * Runs a read for a caller who may leave: once `signal` is aborted, its requests to the service and its queries end, and it
 * throws the signal's reason.
 */
export function withCaller<Value>(signal: AbortSignal, work: () => Value): Value {
  return store().run(signal, work)
}

/** Runs work whose result others share, or that has to end once it has begun, whether its caller leaves or not. */
export function withoutCaller<Value>(work: () => Value): Value {
  return store().run(null, work)
}

/** Aborted when the caller of this read has left; undefined for work that goes on without its caller. */
export function callerSignal(): AbortSignal | undefined {
  return store().getStore() ?? undefined
}
