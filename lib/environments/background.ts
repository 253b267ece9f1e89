import { AsyncLocalStorage } from 'node:async_hooks'
import { withPool } from '#lib/db/connection.ts'
import { outsideRequestContext } from '#lib/shared/request-context.ts'

const background = new AsyncLocalStorage<true>()

/**
 * Runs background work (syncing the index, applying events, polling). Its requests to the service have background
 * priority.
 */
export function inBackground<Value>(work: () => Promise<Value>): Promise<Value> {
  return outsideRequestContext(() => withPool('background', () => background.run(true, work)))
}

export function isInBackground(): boolean {
  return background.getStore() === true
}
