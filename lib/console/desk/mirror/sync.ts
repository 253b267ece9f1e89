import 'server-only'
import { and, eq, lt, sql } from 'drizzle-orm'
import { database, type Database, type Transaction } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { directoryAccounts as account, directoryCards as card, directoryState } from '../tables/directory.ts'
import { readFully } from './full-reading.ts'
import { mirrorAccounts } from './mirror.ts'

/**
 * Reads every account of the service into the mirror and deletes those that are gone. One process at a time does this for an
 * environment: false when another one does. Throws where the reading fails or stops early; the mirror then holds what was
 * read, and loses nothing.
 */
export async function readAllAccounts(environment: Environment): Promise<boolean> {
  return withExclusive(database(), `directory ${environment}`, () =>
    readFully(environment, 'listCardAccounts', {
      title: 'card accounts',
      state: directoryState,
      records: { column: sql`accounts`, table: account },
      store: ({ response, fetchedAt }, reading) =>
        mirrorAccounts(database(), environment, response.cardaccounts, fetchedAt, reading),
      deleteMissing: (tx, reading, startedAt) => deleteMissing(tx, environment, reading, startedAt),
    }),
  )
}

async function deleteMissing(
  tx: Transaction,
  environment: Environment,
  reading: number,
  startedAt: Date,
): Promise<void> {
  const gone = await tx
    .delete(account)
    .where(and(eq(account.environment, environment), lt(account.reading, reading), lt(account.readAt, startedAt)))
    .returning({ id: account.id })
  if (gone.length === 0) return
  await tx.execute(sql`
    delete from ${card} where environment = ${environment}
    and not exists (select 1 from ${account} a where a.environment = ${environment} and a.id = card_account_id)`)
}

/** Runs work under a lock of the database that dies with its connection; false, and nothing is run, while the lock is held. */
export async function withExclusive(db: Database, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await db.$client.connect()
  try {
    const { rows } = await client.query<{ has: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 7263102)) as has',
      [name],
    )
    if (!rows[0]?.has) return false
    try {
      await work()
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 7263102))', [name])
    }
    return true
  } finally {
    client.release()
  }
}
