import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { sql, type SQL } from 'drizzle-orm'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { fetchPages, type Page, type PagedEndpoint } from '../connections/paginate.ts'
import type { directoryAccounts, directoryState } from '../tables/directory.ts'
import type { directoryPayouts, payoutReadings } from '../tables/payouts.ts'

/** Half a million records. */
const maximumPages = 5000
/** The first pages are fetched without a pause, so that a small program is read at once. */
const unpacedPages = 10
/** Afterwards staff keep most of the rate limit. */
const pagesPerSecond = 8

type Mirror<Name extends PagedEndpoint> = {
  /** What the list holds, for the log. */
  title: string
  state: typeof directoryState | typeof payoutReadings
  /** The table of the mirror, and the column of `state` that counts its rows. */
  records: { column: SQL; table: typeof directoryAccounts | typeof directoryPayouts }
  /** Stores a page; returns how many of its records were left out because they cannot be stored. */
  store: (page: Page<Name>, reading: number) => Promise<number>
  /** Deletes what this reading did not include and nothing else read since it began. */
  deleteMissing: (tx: Transaction, reading: number, startedAt: Date) => Promise<void>
}

/**
 * Reads a whole list into its mirror. Only a reading that reaches the end of the list and can read every record deletes the
 * rows that it did not include. Throws where a request fails, and where the list has no end within the bound or repeats a page token.
 */
export async function readFully<Name extends PagedEndpoint>(
  environment: Environment,
  endpoint: Name,
  { title, state, records, store, deleteMissing }: Mirror<Name>,
): Promise<void> {
  const db = database()
  const startedAt = new Date()
  const { rows } = await db.execute<{ reading: string }>(sql`
    insert into ${state} as state (environment, reading, reading_since)
    values (${environment}, 1, ${startedAt.toISOString()})
    on conflict (environment) do update set reading = state.reading + 1, reading_since = excluded.reading_since
    returning reading`)
  const reading = Number(rows[0]?.reading ?? 1)
  const end = (tx: Pick<Transaction, 'execute'>, values: SQL) =>
    tx.execute(sql`update ${state} set reading_since = null ${values} where environment = ${environment}`)
  const counted = sql`, ${records.column} = (select count(*) from ${records.table} where environment = ${environment})`
  try {
    let excluded = 0
    let stoppedBecause: 'limit' | 'repeated-token' | null = null
    let pages = 0
    for await (const page of fetchPages(environment, endpoint, {}, { maximumPages })) {
      pages += 1
      excluded += page.excluded + (await store(page, reading))
      if (page.hasMore === 'limit' || page.hasMore === 'repeated-token') stoppedBecause = page.hasMore
      if (page.hasMore === 'next' && pages > unpacedPages) {
        await delay(Math.max(0, 1000 / pagesPerSecond - (Date.now() - page.fetchedAt.getTime())))
      }
    }
    if (stoppedBecause !== null) {
      await end(db, sql`, stopped_because = ${stoppedBecause}, excluded = ${excluded} ${counted}`)
      const why = stoppedBecause === 'limit' ? 'has no end' : 'repeats a page token'
      throw new Error(`The list of ${title} ${why} after ${pages} pages`)
    }
    await inTransaction(db, async (tx) => {
      if (excluded === 0) await deleteMissing(tx, reading, startedAt)
      const asOf = startedAt.toISOString()
      await end(tx, sql`, as_of = ${asOf}, stopped_because = null, excluded = ${excluded} ${counted}`)
    })
  } catch (error) {
    await end(db, sql``)
    throw error
  }
}
