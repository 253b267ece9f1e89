import { AsyncLocalStorage } from 'node:async_hooks'
import { globalSingleton } from './global-singleton.ts'

/** The request that a read runs for. Once `signal` is aborted, its calls of the service end, and it throws the signal's reason. */
export type RequestContext = {
  signal: AbortSignal
  /** Called once the read is refused for want of a permission, before the audit entry of that is written. */
  onRefused?: () => void
  /** The whole has an entry in the audit log, such as an export; its reads have none of their own. */
  isAuditedAsOne?: true
}

const store = globalSingleton<AsyncLocalStorage<RequestContext | null>>(
  'carddeskRequestContext',
  () => new AsyncLocalStorage(),
)

/** Runs a read for a request whose sender may leave. */
export function inRequestContext<Value>(context: RequestContext, work: () => Value): Value {
  return store().run(context, work)
}

/** Runs work that others share, or that must finish once it has started, even if the request's sender disconnects. */
export function outsideRequestContext<Value>(work: () => Value): Value {
  return store().run(null, work)
}

/** Undefined in work that goes on without its request. */
export function currentRequestContext(): RequestContext | undefined {
  return store().getStore() ?? undefined
}
