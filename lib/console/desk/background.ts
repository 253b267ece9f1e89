import { AsyncLocalStorage } from 'node:async_hooks'
import { withPool } from '#lib/db/connection.ts'
import { withoutCaller } from '#lib/shared/caller.ts'

const background = new AsyncLocalStorage<true>()

/** Runs background work: keeping mirrors, applying events, polling. Its requests to the service bear the background priority. */
export function inBackground<Value>(work: () => Promise<Value>): Promise<Value> {
  return withoutCaller(() => withPool('background', () => background.run(true, work)))
}

export function isInBackground(): boolean {
  return background.getStore() === true
}
