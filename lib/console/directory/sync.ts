import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, lt, sql } from 'drizzle-orm'
import { database, type Database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from '../environments.ts'
import { directoryAccounts as account, directoryCards as card, directoryState } from '../tables/directory.ts'
import { mirrorAccounts } from './mirror.ts'

/** Pages of a hundred accounts that a full reading asks for in a second, so that staff keep most of the rate limit. */
const pagesPerSecond = 8
/** The first pages go without a pause: a small program is read at once. */
const unpacedPages = 10

/**
 * Reads every account of the service into the mirror; those that are gone are taken away at its end. One process at a
 * time does this for an environment: false when another one does. An error leaves the mirror as far as it came.
 */
export async function readAllAccounts(environment: Environment): Promise<boolean> {
  return withExclusive(database(), `directory ${environment}`, async () => {
    const db = database()
    const startedAt = new Date()
    const reading = await beginReading(db, environment, startedAt)
    try {
      let pageToken: string | undefined
      const seen = new Set<string>()
      for (let page = 0; page === 0 || pageToken !== undefined; page += 1) {
        const askedAt = new Date()
        const { answer } = await askService(environment, 'listCardAccounts', {
          query: { pageSize: '100', ...(pageToken === undefined ? {} : { pageToken }) },
        })
        await mirrorAccounts(db, environment, answer.cardaccounts, askedAt, reading)
        pageToken = answer.nextPageToken ?? undefined
        if (pageToken !== undefined && seen.has(pageToken))
          throw new Error('the list of card accounts goes in a circle')
        if (pageToken !== undefined) seen.add(pageToken)
        if (page >= unpacedPages) await delay(Math.max(0, 1000 / pagesPerSecond - (Date.now() - askedAt.getTime())))
      }
      await endReading(db, environment, reading, startedAt)
    } catch (error) {
      await db.update(directoryState).set({ readingSince: null }).where(eq(directoryState.environment, environment))
      throw error
    }
  })
}

async function beginReading(db: Database, environment: Environment, startedAt: Date): Promise<number> {
  const [state] = await db
    .insert(directoryState)
    .values({ environment, reading: 1, readingSince: startedAt })
    .onConflictDoUpdate({
      target: directoryState.environment,
      set: { reading: sql`${directoryState.reading} + 1`, readingSince: startedAt },
    })
    .returning({ reading: directoryState.reading })
  return state?.reading ?? 1
}

/** What the whole reading did not see, and nobody read since it began, is gone. */
async function endReading(db: Database, environment: Environment, reading: number, startedAt: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const gone = await tx
      .delete(account)
      .where(and(eq(account.environment, environment), lt(account.reading, reading), lt(account.readAt, startedAt)))
      .returning({ id: account.id })
    if (gone.length > 0) {
      await tx.execute(sql`
        delete from ${card} where environment = ${environment}
        and not exists (select 1 from ${account} a where a.environment = ${environment} and a.id = card_account_id)`)
    }
    await tx
      .update(directoryState)
      .set({
        readingSince: null,
        asOf: startedAt,
        accounts: sql`(select count(*) from ${account} where environment = ${environment})`,
      })
      .where(eq(directoryState.environment, environment))
  })
}

/** Runs work under a lock of the database that dies with its connection; false, and nothing is run, while somebody has it. */
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
