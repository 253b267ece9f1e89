import 'server-only'
import { and, eq, isNotNull, isNull, lt, min, or, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { withExclusive } from '#lib/db/exclusive.ts'
import { fetchPages } from '#lib/environments/paginate.ts'
import { isUnreachable, nullOn } from '#lib/shared/app-error.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import {
  indexedTransactions as transaction,
  isOpenDisputeSql,
  transactionProgress as reading,
} from '#lib/tables/transactions.ts'
import { accountIndex } from './accounts-sync.ts'
import { inParallel } from './in-parallel.ts'
import { updateDisputeAge } from './index-accounts.ts'
import { updateLastUse } from './index-cards.ts'
import { findOwnRecords } from './own-records.ts'
import { requestAllowance } from './request-allowance.ts'
import { indexTransactions } from './transactions.ts'
import type { TransactionCoverage } from './types.ts'

/** A quarter of the service's usual rate limit. */
const requestsPerMinute = 300
const allowance = requestAllowance('transactions', requestsPerMinute)
const readersAtOnce = 4
/**
 * Changes that move no figure, such as a decline or a capture whose event was lost, are found by reading an account again: no sooner than after
 * this time, and so many accounts a minute at most.
 */
const againAfterMs = hourMs
const againPerMinute = 60
const allowanceAgain = requestAllowance('transactions again', againPerMinute)
/** An account whose transactions could not be read is tried again after this time. */
const pauseAfterFailureMs = 10 * minuteMs
/** So many come with one request. */
const onePage = 100
/** Pages of a hundred: a hundred thousand transactions of one account. */
const maximumPages = 1000

/**
 * One round of the index of transactions: accounts whose figures changed since they were read, the latest change first. Those whose
 * indexed entries add up to their figures cost no request, since events brought what is new. The others are read as far as the
 * allowance of requests goes; once there are none, some that were not read for an hour. An account that cannot be read does not keep the
 * others back. Throws the first error.
 */
export async function indexSomeTransactions(environment: Environment): Promise<void> {
  await withExclusive(database(), `transactions ${environment}`, async () => {
    await markExplained(environment)
    const errors: unknown[] = []
    const due = await listDueAccounts(environment)
    await inParallel(due, readersAtOnce, async (one) => {
      if (errors.some(isUnreachable) || !allowance.take()) return
      await readAccount(environment, one).catch(async (error: unknown) => {
        errors.push(error)
        if (!isUnreachable(error)) await saveReading(environment, one.id, { failedAt: new Date() })
      })
    })
    if (due.length === 0) {
      await inParallel(await longUnread(environment), readersAtOnce, async ({ id, read }) => {
        if (!allowanceAgain.take() || !allowance.take()) return
        await readAgain(environment, id, read).catch((error: unknown) => errors.push(error))
      })
    }
    if (errors.length > 0) throw errors[0]
  })
}

/** The condition of the index `index_accounts_transactions_due`. */
const isDue = sql`(${account.transactionsReadAt} is null or ${account.transactionsReadAt} < ${account.figuresChangedAt})`

/** The entries that count in a balance, and those that are disputed, of an account's row `a`. */
const sumEntries = (condition: ReturnType<typeof sql>) => sql`coalesce((
  select sum(case when entry_type = 'DEBIT' then amount else -amount end) from ${transaction} t
  where t.environment = a.environment and t.card_account_id = a.id and ${condition}), 0)`
const balanceOfEntries = sumEntries(sql`status not in ('declined', 'void')`)
const disputedEntries = sql`coalesce((select sum(amount) from ${transaction} t
  where t.environment = a.environment and t.card_account_id = a.id and ${isOpenDisputeSql('dispute_status')}), 0)`
const isExplained = sql`a.balance = r.opening_balance + ${balanceOfEntries}
  and coalesce(a.dispute_amount = ${disputedEntries}, true)`

/** Accounts that were read whole, and whose entries add up to their balance and their disputed amount, need no reading. */
async function markExplained(environment: Environment): Promise<void> {
  await database().execute(sql`
    update ${account} a set transactions_read_at = a.figures_changed_at from ${reading} r
    where a.environment = ${environment} and (a.transactions_read_at is null or a.transactions_read_at < a.figures_changed_at)
      and r.environment = a.environment and r.card_account_id = a.id and r.is_whole and ${isExplained}`)
}

type Due = { id: string; figuresChangedAt: Date | null; read: typeof reading.$inferSelect | null }

function listDueAccounts(environment: Environment): Promise<Due[]> {
  const isNotPaused = or(isNull(reading.failedAt), lt(reading.failedAt, new Date(Date.now() - pauseAfterFailureMs)))
  return database()
    .select({ id: account.id, figuresChangedAt: account.figuresChangedAt, read: reading })
    .from(account)
    .leftJoin(reading, and(eq(reading.environment, account.environment), eq(reading.cardAccountId, account.id)))
    .where(and(eq(account.environment, environment), isDue, isNotPaused))
    .orderBy(sql`${account.figuresChangedAt} desc`)
    .limit(requestsPerMinute)
}

/** Accounts that were read to their end, those that were not read for the longest time first. */
function longUnread(environment: Environment) {
  const before = new Date(Date.now() - againAfterMs)
  return database()
    .select({ id: reading.cardAccountId, read: reading })
    .from(reading)
    .where(
      and(
        eq(reading.environment, environment),
        or(reading.isWhole, isNotNull(reading.wholeReadAt)),
        or(isNull(reading.lastReadAt), lt(reading.lastReadAt, before)),
      ),
    )
    .orderBy(sql`${reading.lastReadAt} asc nulls first`)
    .limit(againPerMinute)
}

/**
 * Reads an account whose figures did not change: all of its entries where the last time is an hour ago for each request that brings them,
 * otherwise the newest and the pending ones.
 */
async function readAgain(environment: Environment, id: string, read: typeof reading.$inferSelect): Promise<void> {
  await saveReading(environment, id, { lastReadAt: new Date() })
  const requests = Math.ceil((await database().$count(transaction, isOfAccount(environment, id))) / onePage)
  const isWholeDue = Date.now() - (read.wholeReadAt?.getTime() ?? 0) > requests * againAfterMs
  await (requests <= 1 || isWholeDue ? readWhole(environment, id, read) : readNewest(environment, id, read.readTo))
}

/**
 * Reads the newest entries of an account that was read to its end before, otherwise all of them. Where the newest do not explain the account's
 * figures, all are read, and rows that the service no longer has are deleted.
 */
async function readAccount(environment: Environment, { id, figuresChangedAt, read }: Due): Promise<void> {
  const lastReadAt = new Date()
  if (read?.isWhole || read?.wholeReadAt) {
    const isFound = await readNewest(environment, id, read.readTo)
    if (isFound && read.openingBalance !== null && !(await isExplainedNow(environment, id))) {
      await readWhole(environment, id, read)
    }
  } else await readWhole(environment, id, read)
  await saveReading(environment, id, { lastReadAt, failedAt: null })
  const isSame = figuresChangedAt ? eq(account.figuresChangedAt, figuresChangedAt) : isNull(account.figuresChangedAt)
  await database()
    .update(account)
    .set({ transactionsReadAt: figuresChangedAt ?? new Date() })
    .where(and(eq(account.environment, environment), eq(account.id, id), isSame))
}

async function isExplainedNow(environment: Environment, id: string): Promise<boolean> {
  const { rows } = await database().execute<{ explained: boolean | null }>(sql`
    select ${isExplained} as explained from ${account} a
    join ${reading} r on r.environment = a.environment and r.card_account_id = a.id
    where a.environment = ${environment} and a.id = ${id}`)
  return rows[0]?.explained === true
}

/** Reads the entries since the last reading, and those that were pending then. Returns false where the service has no such account. */
async function readNewest(environment: Environment, id: string, readTo: Date | null): Promise<boolean> {
  const [pending] = await database()
    .select({ oldest: min(transaction.createdAt) })
    .from(transaction)
    .where(and(isOfAccount(environment, id), eq(transaction.status, 'pending')))
  const from = [readTo, pending?.oldest].flatMap((at) => at?.getTime() ?? [])
  const since = from.length === 0 ? null : new Date(Math.min(...from))
  const walked = await walk(environment, id, since && { dateRangeFrom: since.toISOString() }, { until: since })
  if (!walked) return false
  if (walked.newest) await saveReading(environment, id, { readTo: walked.newest })
  return true
}

/** Reads every entry, going on where an interrupted reading stopped. */
async function readWhole(environment: Environment, id: string, read: Due['read']): Promise<void> {
  const startedAt = new Date()
  const resumeAt = read?.isWhole ? null : (read?.resumeAt ?? null)
  const walked = await walk(environment, id, resumeAt && { dateRangeTo: resumeAt.toISOString() }, {
    until: null,
    onPage: ({ newest, oldest, isNewestFirst, isReadable }) =>
      saveReading(environment, id, {
        // A resumed reading would not know of the records that could not be read, so it starts anew.
        resumeAt: isNewestFirst && isReadable ? oldest : null,
        ...(resumeAt === null && newest ? { readTo: newest } : {}),
      }),
  })
  if (!walked) return
  // Since the reading began that was interrupted, entries were made that are newer than its first page.
  if (resumeAt !== null && !(await readNewest(environment, id, read?.readTo ?? null))) return
  if (resumeAt === null && walked.isComplete) {
    const gone = await database()
      .delete(transaction)
      .where(and(isOfAccount(environment, id), lt(transaction.readAt, startedAt)))
      .returning({ cardId: transaction.cardId })
    await updateLastUse(database(), environment, gone)
    await updateDisputeAge(database(), environment, id)
  }
  const { rows } = await database().execute<{ opening: string | null }>(sql`
    select (a.balance - ${balanceOfEntries})::text as opening from ${account} a
    where a.environment = ${environment} and a.id = ${id}`)
  const opening = rows[0]?.opening ?? null
  // An entry may come between the reading of the account and that of its entries. Where two whole readings in a row differ from the one
  // before, the balance of this service is no sum of its entries: it explains nothing.
  const isOther = read?.isWhole === true && read.openingBalance !== opening
  const isAgain = isOther && (read.wholeReadAt === null || read.openingBalance === null)
  const wholeReadAt = !isOther || isAgain ? startedAt : null
  const openingBalance = isAgain ? null : opening
  await saveReading(environment, id, { isWhole: walked.isComplete, wholeReadAt, resumeAt: null, openingBalance })
}

/** `isReadable`: every record so far could be read; `isComplete`: and the list came to its end. */
type Walked = {
  newest: Date | null
  oldest: Date | null
  isNewestFirst: boolean
  isReadable: boolean
  isComplete: boolean
}

/**
 * Reads the pages of an account's transactions into the index, the newest first, until one begins before `until`. Null where the service
 * has no such account.
 */
async function walk(
  environment: Environment,
  id: string,
  range: object | null,
  { until, onPage }: { until: Date | null; onPage?: (walked: Walked) => Promise<void> },
): Promise<Walked | null> {
  const walked: Walked = { newest: null, oldest: null, isNewestFirst: true, isReadable: true, isComplete: false }
  const pages = fetchPages(
    environment,
    'listCardAccountTransactions',
    { cardAccountId: id, ...range },
    { maximumPages },
  )
  for (;;) {
    const next = await nullOn(pages.next(), 'CARD_ACCOUNT_NOT_FOUND')
    if (next === null) return null
    if (next.done) return walked
    const { response, fetchedAt, hasMore } = next.value
    const records = await findOwnRecords(environment, 'listCardAccountTransactions', response.transactions, id)
    await indexTransactions(database(), environment, id, records, fetchedAt)
    const times = records.flatMap(({ createdAt }) => (createdAt === null ? [] : Date.parse(createdAt)))
    if (times.length > 0) {
      walked.newest = new Date(Math.max(...times, walked.newest?.getTime() ?? -Infinity))
      walked.oldest = new Date(Math.min(...times, walked.oldest?.getTime() ?? Infinity))
    }
    walked.isNewestFirst &&= times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Infinity))
    walked.isReadable &&= next.value.excluded === 0
    walked.isComplete = hasMore === 'no' && walked.isReadable
    await onPage?.(walked)
    // A service that ignores the range sends older pages as well.
    if (until && walked.isNewestFirst && walked.oldest && walked.oldest < until) return walked
    if (hasMore === 'next') allowance.spend()
  }
}

function isOfAccount(environment: Environment, id: string) {
  return and(eq(transaction.environment, environment), eq(transaction.cardAccountId, id))
}

async function saveReading(
  environment: Environment,
  cardAccountId: string,
  values: Partial<typeof reading.$inferInsert>,
): Promise<void> {
  await database()
    .insert(reading)
    .values({ environment, cardAccountId, ...values })
    .onConflictDoUpdate({ target: [reading.environment, reading.cardAccountId], set: values })
}

/** How far the index of transactions is. `accountsRead` were read to their end; `minutesLeft` is an estimate, null where none is left. */
export async function readTransactionCoverage(environment: Environment): Promise<TransactionCoverage> {
  return cachedByCost(`transaction coverage ${environment}`, async () => {
    const { rows } = await database().execute<{
      accounts: number
      read: number
      due: number
      asOf: Date | string | null
    }>(sql`
      select count(*)::int as accounts, count(*) filter (where r.is_whole)::int as read,
        count(*) filter (where a.transactions_read_at is null or a.transactions_read_at < a.figures_changed_at)::int as due,
        min(a.read_at) as "asOf"
      from ${account} a left join ${reading} r on r.environment = a.environment and r.card_account_id = a.id
      where a.environment = ${environment}`)
    const { accounts = 0, read = 0, due = 0, asOf = null } = rows[0] ?? {}
    if (accounts === 0) {
      // A program without an account has no transactions, once that was read.
      const { isComplete, asOf: readAt } = await accountIndex.coverage(environment)
      return { accounts, accountsRead: read, isComplete, minutesLeft: null, asOf: readAt }
    }
    return {
      accounts,
      accountsRead: read,
      isComplete: due === 0 && read === accounts,
      minutesLeft: due === 0 ? null : Math.ceil(due / requestsPerMinute),
      asOf: asOf && new Date(asOf).toISOString(),
    }
  })
}
