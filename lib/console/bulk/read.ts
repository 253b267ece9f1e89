import 'server-only'
import { and, count, desc, eq, exists, inArray, isNotNull, ne, not, sql } from 'drizzle-orm'
import { z } from 'zod'
import { bulkItemSearch, bulkJobSearch } from '#lib/api/bulk.ts'
import { database } from '#lib/db/connection.ts'
import { pageByNumber, pageByTime } from '#lib/index/keyset.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { canBeUndone, countLeft } from '#lib/operations/bulk/follow-ups.ts'
import type { JobRow } from '#lib/operations/bulk/lease.ts'
import { readItems, readJob, readJobs } from '#lib/operations/bulk/record.ts'
import type { ItemRow } from '#lib/operations/bulk/rows.ts'
import {
  bulkKinds,
  type BulkItem,
  type BulkJob,
  type BulkLimits,
  type BulkMoney,
  type bulkStatesInDetail,
  type FactColumn,
} from '#lib/operations/bulk/types.ts'
import type { ApprovalState } from '#lib/operations/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { exactText } from '#lib/shared/money.ts'
import type { PageTokens } from '#lib/shared/page-tokens.ts'
import { parseSearch, listPage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'

type BulkJobPage = { jobs: BulkJob[] } & PageTokens
/** A job with one page of its rows, in their order. */
type BulkJobDetail = {
  job: BulkJob
  /** Rows that a new job can do: no later one did. */
  left: Pick<BulkJob['counts'], 'refused' | 'cancelled'>
  /** Rows that another job can take back. */
  undoable: number
  columns: readonly FactColumn[]
  items: BulkItem[]
  /** For a job that brings money back: the amount per currency, the currency with the most rows first. */
  money: BulkMoney[]
  /** The pace of all jobs of the environment together. */
  rowsPerSecond: number
  /** How long a row takes now, in milliseconds; null while too few are settled to tell. */
  rowMs: number | null
  asOf: string
} & PageTokens

const JobFilters = z.object({ ...filterSchemas(bulkJobSearch.filters), ...listPage }).partial()
const ItemFilters = z.object({ ...filterSchemas(bulkItemSearch.filters), ...listPage }).partial()

/** Search parameters of a page or a URL. */
export type BulkFilters = Record<string, string | string[] | undefined>

/** Jobs of an environment, newest first. */
export async function listBulkJobs(environment: Environment, search: BulkFilters): Promise<BulkJobPage> {
  const { pageSize: size = 25, pageToken: token, ...filters } = parseSearch(JobFilters, search)
  const { rows, ...tokens } = await pageByTime(
    bulkJobs,
    { scope: ['bulk-jobs', environment, filters], token, size },
    ({ condition, order, limit }) =>
      database()
        .select()
        .from(bulkJobs)
        .where(
          and(
            eq(bulkJobs.environment, environment),
            filters.state ? stateCondition(filters.state) : undefined,
            filters.kind ? eq(bulkJobs.kind, filters.kind) : undefined,
            condition,
          ),
        )
        .orderBy(...order)
        .limit(limit),
  )
  return { jobs: await readJobs(database(), rows), ...tokens }
}

/** The jobs that the list shows with a state. */
function stateCondition(shown: (typeof bulkStatesInDetail)[number]) {
  const { state, id } = bulkJobs
  const db = database()
  const approvalIs = (...states: ApprovalState[]) =>
    exists(
      db
        .select()
        .from(approvals)
        .where(and(eq(approvals.id, id), inArray(approvals.state, states))),
    )
  const isWaiting = approvalIs('waiting')
  const isUnapproved = approvalIs('declined', 'expired', 'withdrawn')
  const isPartial = exists(
    db
      .select()
      .from(bulkItems)
      .where(and(eq(bulkItems.jobId, id), ne(bulkItems.state, 'done'))),
  )
  return {
    running: eq(state, 'running'),
    waiting: and(eq(state, 'paused'), isWaiting),
    paused: and(eq(state, 'paused'), not(isWaiting)),
    cancelled: and(eq(state, 'cancelled'), not(isUnapproved)),
    unapproved: and(eq(state, 'cancelled'), isUnapproved),
    finished: and(eq(state, 'finished'), not(isPartial)),
    partial: and(eq(state, 'finished'), isPartial),
  }[shown]
}

/** Throws `BULK_JOB_NOT_FOUND`. */
export async function readBulkJob(
  environment: Environment,
  jobId: string,
  search: BulkFilters = {},
): Promise<BulkJobDetail> {
  const { pageSize: size = 50, pageToken: token, state } = parseSearch(ItemFilters, search)
  const row = await findJob(environment, jobId)
  const asOf = new Date().toISOString()
  const db = database()
  const undoCondition = row.finishedAt && canBeUndone(row)
  const [job, left, undoable, money, rowMs, { rows, ...tokens }] = await Promise.all([
    readJob(db, row),
    countLeft(db, row),
    undoCondition ? db.$count(bulkItems, undoCondition) : 0,
    row.kind === 'fee.waive' ? readMoney([row.id]).then((money) => money.get(row.id) ?? []) : [],
    readRowMs(row.id),
    pageByNumber(
      bulkItems.position,
      'asc',
      { scope: ['bulk-items', row.id, state ?? null], token, size },
      (item: ItemRow) => item.position,
      ({ condition, order, limit }) =>
        db
          .select()
          .from(bulkItems)
          .where(and(eq(bulkItems.jobId, row.id), state ? eq(bulkItems.state, state) : undefined, condition))
          .orderBy(...order)
          .limit(limit),
    ),
  ])
  const { facts } = bulkKinds[row.kind]
  // A job tags accounts or cards.
  const columns = facts.filter(({ key }) => key !== 'card' || rows.some(({ targetType }) => targetType === 'card'))
  const { bulkRowsPerSecond: rowsPerSecond } = consoleSettings()
  return {
    job,
    left,
    undoable,
    columns,
    items: await readItems(db, environment, rows),
    money,
    rowsPerSecond,
    rowMs,
    asOf,
    ...tokens,
  }
}

/** So many rows say how fast the service is now. */
const newestRows = 21

/** The mean time between the newest rows, without the longest, in which the job may have been paused or waited for its approval. */
async function readRowMs(jobId: string): Promise<number | null> {
  const { settledAt, state } = bulkItems
  const rows = await database()
    .select({ atMs: sql<number>`(extract(epoch from ${settledAt}) * 1000)::float8` })
    .from(bulkItems)
    .where(and(eq(bulkItems.jobId, jobId), isNotNull(settledAt), ne(state, 'cancelled')))
    .orderBy(desc(settledAt))
    .limit(newestRows)
  const [newest, oldest] = [rows[0], rows.at(-1)]
  if (!newest || !oldest || rows.length < 3) return null
  const longest = Math.max(...rows.slice(1).map(({ atMs }, index) => (rows[index]?.atMs ?? atMs) - atMs))
  return (newest.atMs - oldest.atMs - longest) / (rows.length - 2)
}

/**
 * The effect of waiving on balances by job, summed by the database. A row without an amount or a direction is excluded and counted; a
 * sum without any row is null.
 */
export async function readMoney(jobIds: readonly string[]): Promise<Map<string, BulkMoney[]>> {
  if (jobIds.length === 0) return new Map()
  const { facts, state, jobId } = bulkItems
  const back = sql`-(${facts} ->> 'change')::numeric`
  const currency = sql<string>`coalesce(${facts} ->> 'currency', '')`
  const rows = await database()
    .select({
      jobId,
      currency,
      done: sql<string | null>`(sum(${back}) filter (where ${state} = 'done'))::text`,
      whole: sql<string | null>`sum(${back})::text`,
      isAnyDone: sql<boolean>`bool_or(${state} = 'done')`,
      excluded: sql<number>`(count(*) filter (where (${back}) is null))::int`,
    })
    .from(bulkItems)
    .where(inArray(jobId, [...jobIds]))
    .groupBy(jobId, sql`2`)
    .orderBy(desc(count()))
  const toMoney = ({ currency: one, done, whole, isAnyDone, excluded }: (typeof rows)[number]): BulkMoney => {
    return { currency: one, done: isAnyDone ? exactText(done) : '0', whole: exactText(whole), excluded }
  }
  const byJob = Map.groupBy(rows, (row) => row.jobId)
  return new Map([...byJob].map(([id, own]) => [id, own.map(toMoney)]))
}

/** The limits that a job sets, by currency, the one with the most rows first. */
export async function readNewLimits(id: string): Promise<BulkLimits[]> {
  const { facts, jobId } = bulkItems
  const [before, after] = [sql`(${facts} ->> 'limitBefore')::numeric`, sql`(${facts} ->> 'limit')::numeric`]
  const rows = await database()
    .select({
      currency: sql<string>`coalesce(${facts} ->> 'currency', '')`,
      lowest: sql<string | null>`min(${after})::text`,
      highest: sql<string | null>`max(${after})::text`,
      raised: sql<number>`(count(*) filter (where ${before} is null or ${after} > ${before}))::int`,
      rows: sql<number>`count(*)::int`,
    })
    .from(bulkItems)
    .where(eq(jobId, id))
    .groupBy(sql`1`)
    .orderBy(desc(count()))
  return rows.map(({ lowest, highest, ...own }) => ({ ...own, lowest: exactText(lowest), highest: exactText(highest) }))
}

/** The row of a job of this environment. Throws `BULK_JOB_NOT_FOUND`. */
export async function findJob(environment: Environment, jobId: string): Promise<JobRow> {
  const [row] = isUuid(jobId)
    ? await database()
        .select()
        .from(bulkJobs)
        .where(and(eq(bulkJobs.id, jobId.toLowerCase()), eq(bulkJobs.environment, environment)))
    : []
  if (!row) throw new AppError('BULK_JOB_NOT_FOUND', 'There is no such bulk job in this environment.')
  return row
}
