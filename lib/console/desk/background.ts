import { AsyncLocalStorage } from 'node:async_hooks'
import { withPool } from '#lib/db/connection.ts'

const background = new AsyncLocalStorage<true>()

/** Does what nobody waits for: keeping mirrors, applying events, watching. Its requests to the service say so. */
export function inBackground<Value>(work: () => Promise<Value>): Promise<Value> {
  return withPool('background', () => background.run(true, work))
}

export function isInBackground(): boolean {
  return background.getStore() === true
}
