import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { database, indexDatabase, type Queryable } from './connection.ts'
import { inTransaction } from './transaction.ts'

const snapshots = globalSingleton<AsyncLocalStorage<Queryable>>('carddeskSnapshot', () => new AsyncLocalStorage())

/**
 * Runs `work` once, in which every page of a list is read from the state that the primary database has at the first of them: a row that
 * moves in the order meanwhile is on one page, once. It may pause as long as it likes.
 */
export async function inSnapshot<Value>(work: () => Promise<Value>): Promise<Value> {
  const [result] = await inTransaction(
    database(),
    async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
      // A transaction is repeated after some errors: those of the work are thrown behind it.
      return Promise.allSettled([snapshots().run(tx, work)])
    },
    { isolationLevel: 'repeatable read' },
  )
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** Where the pages of a list are read: the snapshot of `inSnapshot`, and without one the index as it is. */
export function pageDatabase(): Queryable {
  return snapshots().getStore() ?? indexDatabase()
}
