import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, lt, lte, sql, type SQL } from 'drizzle-orm'
import type { ReceivedResponse } from '#lib/contract/records.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { withExclusive } from '#lib/db/exclusive.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { readHealth } from '#lib/environments/health.ts'
import { fetchPages, findRecord, type Page, type PagedEndpoint } from '#lib/environments/paginate.ts'
import { AppError, orNotFound } from '#lib/shared/app-error.ts'
import { isServiceId, sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime, minuteMs, secondMs } from '#lib/shared/time.ts'
import type { indexedAccounts, accountProgress } from '#lib/tables/card-accounts.ts'
import type { feeProgress, indexedFees } from '#lib/tables/fees.ts'
import type { indexedLedger, ledgerProgress } from '#lib/tables/ledger.ts'
import type { indexedPayouts, payoutProgress } from '#lib/tables/payouts.ts'
import { paced } from './paced.ts'
import type { Coverage } from './types.ts'

/** Half a million records. */
const maximumPages = 5000

/** Up to here a list is read again when a person opens it; above, in the background. */
const smallProgram = 500
/** How old an index may be when a person opens it (`opened`), and otherwise. */
const ages = {
  small: { opened: 5 * secondMs, idle: 60 * secondMs },
  large: { opened: 10 * minuteMs, idle: 10 * minuteMs },
}
/** How long a page waits for a sync before it shows the stored rows. */
const timeoutMs = 2 * secondMs

/** A list of the service that the console has a copy of. */
type IndexedList<Name extends PagedEndpoint> = {
  endpoint: Name
  /** The name of the list: of its lock, and in the log. */
  title: string
  state: typeof accountProgress | typeof payoutProgress | typeof feeProgress | typeof ledgerProgress
  table: typeof indexedAccounts | typeof indexedPayouts | typeof indexedFees | typeof indexedLedger
  /**
   * Stores a page; returns how many of its records were left out because they cannot be stored. `counts` is empty when the reading of the
   * list begins, and has what `store` counts in it from page to page.
   */
  store: (environment: Environment, page: Page<Name>, reading: number, counts: Map<string, number>) => Promise<number>
  /** Deletes what belongs to records that are gone. */
  deleteOrphans?: (tx: Transaction, environment: Environment) => Promise<unknown>
  /**
   * Lets an interrupted whole reading go on where it stopped: for a list that is the newest first and takes `dateRangeTo`. `oldestIn`
   * returns the time of a page's oldest record; null for a page in another order, or with a record without a time.
   */
  resuming?: { state: typeof feeProgress; oldestIn: (response: ReceivedResponse<Name>) => Date | null }
}

export type IndexState = Pick<
  typeof accountProgress.$inferSelect,
  'readingSince' | 'asOf' | 'records' | 'excluded' | 'stoppedBecause'
> & { resumeAt?: Date | null }

export type Occasion = keyof typeof ages.small

export function isSmall({ records }: IndexState): boolean {
  return records <= smallProgram
}

/** Whether an index is older than it may be; `largeMs` where a large one may have an age of its own. */
export function isDue(state: IndexState, occasion: Occasion, largeMs?: number): boolean {
  const oldestMs = isSmall(state) ? ages.small[occasion] : (largeMs ?? ages.large[occasion])
  return state.asOf === null || Date.now() - state.asOf.getTime() > oldestMs
}

/** The id of a record as the service sent it, found in any case; null where the index does not have the record. */
export async function findStoredId(
  table: IndexedList<PagedEndpoint>['table'],
  environment: Environment,
  id: string,
): Promise<string | null> {
  const [row] = await database()
    .select({ id: table.id })
    .from(table as typeof indexedAccounts)
    .where(and(eq(table.environment, environment), sql`lower(id) = ${id.toLowerCase()}`))
    .orderBy(sql`id = ${id} desc`, table.id)
    .limit(1)
  return row?.id ?? null
}

/**
 * A record of an indexed list as the service has it now. Where the service does not have it, the index forgets it (by `forget`, where more
 * than its row goes), and `notFound` is thrown, as it is for a text that cannot be an id.
 */
export async function fetchIndexed<Name extends PagedEndpoint, Item extends { id: string }>(
  environment: Environment,
  id: string,
  of: {
    endpoint: Name
    table: IndexedList<Name>['table']
    title: string
    filter: string
    list: (response: ReceivedResponse<Name>) => readonly Item[]
    notFound: () => AppError
    forget?: (storedId: string) => Promise<unknown>
  },
): Promise<{ record: Item; fetchedAt: Date }> {
  if (!isServiceId(id)) throw of.notFound()
  const storedId = await findStoredId(of.table, environment, id)
  const asSent = storedId ?? id
  const isWanted = (one: Item) => sameId(one.id, asSent)
  const finding = findRecord(environment, of.endpoint, { [of.filter]: asSent }, { list: of.list, isWanted })
  const { record, excluded, fetchedAt } = await orNotFound(finding, of.notFound)
  if (record) return { record, fetchedAt }
  if (excluded > 0) {
    throw new AppError('SERVICE_REFUSED', `The card service returned this ${of.title} without an id.`)
  }
  if (storedId !== null) await (of.forget?.(storedId) ?? forgetRow(of.table, environment, storedId, fetchedAt))
  throw of.notFound()
}

/** Deletes a row of what the service did not have when the request left. */
export async function forgetRow(
  table: IndexedList<PagedEndpoint>['table'],
  environment: Environment,
  id: string,
  fetchedAt: Date,
): Promise<void> {
  await database()
    .delete(table)
    .where(and(eq(table.environment, environment), eq(table.id, id), lte(table.readAt, fetchedAt)))
}

/** `excluded`: records that could not be read so far. */
type Progress = { at: Date; since: Date; excluded: number }

/** The index of a list: its state, and its readings. One process at a time reads it for an environment. */
export function defineIndex<Name extends PagedEndpoint>(list: IndexedList<Name>) {
  const { state, table } = list

  async function readState(environment: Environment): Promise<IndexState> {
    const [row] = await database()
      .select()
      .from(state as typeof accountProgress)
      .where(eq(state.environment, environment))
    return row ?? { readingSince: null, asOf: null, records: 0, excluded: 0, stoppedBecause: null }
  }

  function exclusively(environment: Environment, work: () => Promise<void>): Promise<boolean> {
    return withExclusive(database(), `${list.title} ${environment}`, work)
  }

  return {
    readState,
    async coverage(environment: Environment): Promise<Coverage> {
      const { asOf, readingSince, stoppedBecause, excluded, resumeAt } = await readState(environment)
      return {
        isComplete: asOf !== null && stoppedBecause === null,
        isReading: readingSince !== null,
        asOf: isoTime(asOf),
        readBackTo: isoTime(resumeAt),
        excluded,
      }
    },
    /**
     * Called before a list responds: where the service is connected, starts a sync of the index and waits for it at
     * most as long as a page may. Does not wait for a sync that already took longer, for a service that is down, and
     * where `start` returns null.
     */
    async freshenForReader(
      environment: Environment,
      start: (state: IndexState) => Promise<void> | null,
    ): Promise<void> {
      const [read, health] = await Promise.all([readState(environment), readHealth(environment)])
      if (!health.connected) return
      const work = start(read)
      const isLongReading = read.readingSince !== null && Date.now() - read.readingSince.getTime() > timeoutMs
      if (work === null || isLongReading || health.unreachableSince !== null) return
      await Promise.race([work, delay(timeoutMs, undefined, { ref: false })])
    },
    /**
     * Reads every record of the service into the index and deletes those that are gone. False where another process does that.
     * Throws where the reading fails or stops early; the index then holds what was read, and loses nothing.
     */
    readAll: (environment: Environment) => exclusively(environment, () => readFully(environment)),
    /** Reads the newest page; false where another process reads the list. */
    readNewest: (environment: Environment) =>
      exclusively(environment, async () => {
        for await (const page of fetchPages(environment, list.endpoint, {}, { maximumPages: 1 })) {
          await list.store(environment, page, 0, new Map())
        }
      }),
  }

  /**
   * Only a reading that reaches the end of the list and can read every record deletes the rows that it did not include. Throws where a
   * request fails, and where the list has no end within the bound or repeats a page.
   */
  async function readFully(environment: Environment): Promise<void> {
    const { endpoint, title, store, resuming } = list
    const db = database()
    const resumed = resuming && (await findInterrupted(environment, resuming.state))
    const startedAt = resumed?.since ?? new Date()
    const { rows } = await db.execute<{ reading: string }>(sql`
      insert into ${state} as state (environment, reading, reading_since)
      values (${environment}, 1, ${new Date().toISOString()})
      on conflict (environment) do update set reading = state.reading + ${resumed ? 0 : 1}, reading_since = excluded.reading_since
      returning reading`)
    const reading = Number(rows[0]?.reading ?? 1)
    const end = (tx: Pick<Transaction, 'execute'>, values: SQL) =>
      tx.execute(sql`update ${state} set reading_since = null ${values} where environment = ${environment}`)
    const counted = sql`, ${sql.identifier(state.records.name)} =
      (select count(*) from ${table} where environment = ${environment})`
    try {
      let excluded = resumed?.excluded ?? 0
      let stoppedBecause: 'limit' | 'repeated-token' | null = null
      let pages = 0
      const counts = new Map<string, number>()
      const range = resumed ? { dateRangeTo: resumed.at.toISOString() } : {}
      for await (const page of paced(fetchPages(environment, endpoint, range, { maximumPages }))) {
        pages += 1
        excluded += page.excluded + (await store(environment, page, reading, counts))
        if (page.hasMore === 'limit' || page.hasMore === 'repeated-token') stoppedBecause = page.hasMore
        const oldest = page.hasMore === 'next' ? resuming?.oldestIn(page.response) : null
        if (resuming && oldest)
          await saveProgress(environment, resuming.state, { at: oldest, since: startedAt, excluded })
      }
      if (resuming) await saveProgress(environment, resuming.state, null)
      if (stoppedBecause !== null) {
        await end(db, sql`, stopped_because = ${stoppedBecause}, excluded = ${excluded} ${counted}`)
        const why = stoppedBecause === 'limit' ? 'has no end' : 'repeats a page'
        throw new Error(`The list of ${title} ${why} after ${pages} pages`)
      }
      await inTransaction(db, async (tx) => {
        if (excluded === 0) await deleteMissing(tx, environment, reading, startedAt)
        const asOf = startedAt.toISOString()
        const isLast = sql`case when reading = ${reading} then ${asOf}::timestamptz end`
        await end(tx, sql`, as_of = ${isLast}, stopped_because = null, excluded = ${excluded} ${counted}`)
      })
    } catch (error) {
      await end(db, sql``)
      throw error
    }
  }

  /** The point at which the last whole reading stopped, and when it began; null if it was completed. */
  async function findInterrupted(environment: Environment, table: typeof feeProgress): Promise<Progress | null> {
    const [row] = await database().select().from(table).where(eq(table.environment, environment))
    const { resumeAt: at, resumeSince: since, excluded = 0 } = row ?? {}
    return at && since ? { at, since, excluded } : null
  }

  async function saveProgress(environment: Environment, table: typeof feeProgress, progress: Progress | null) {
    await database()
      .update(table)
      .set({
        resumeAt: progress?.at ?? null,
        resumeSince: progress?.since ?? null,
        ...(progress && { excluded: progress.excluded }),
      })
      .where(eq(table.environment, environment))
  }

  /** Deletes what a full reading did not include and nothing else read since it began. */
  async function deleteMissing(tx: Transaction, environment: Environment, reading: number, startedAt: Date) {
    const gone = await tx
      .delete(table)
      .where(and(eq(table.environment, environment), lt(table.reading, reading), lt(table.readAt, startedAt)))
      .returning({ id: table.id })
    if (gone.length > 0) await list.deleteOrphans?.(tx, environment)
  }
}
