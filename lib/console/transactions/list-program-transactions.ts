import 'server-only'
import { and, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { withoutPage } from '#lib/api/search.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { withDisputeAge } from '#lib/index/dispute-age.ts'
import { distinctValues } from '#lib/index/distinct-values.ts'
import { pageSorted, type Sort, unindexed } from '#lib/index/keyset.ts'
import {
  type ParsedProgramTransactionSearch,
  ProgramTransactionSearch,
  transactionCondition,
} from '#lib/index/transaction-filter.ts'
import { readTransactionCoverage } from '#lib/index/transactions-sync.ts'
import { toIndexedTransaction } from '#lib/index/transactions.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import { having } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { indexedTransactions as transaction } from '#lib/tables/transactions.ts'
import type { DeclineReason, ProgramTransactions, TransactionChoices, TransactionTotals } from './types.ts'

const sorts: Record<NonNullable<ParsedProgramTransactionSearch['sort']>, Sort> = {
  createdAt: { by: sql`created_at`, type: sql`timestamptz` },
  amount: { by: sql`amount`, type: sql`numeric` },
  disputeOpenedAt: { by: sql`dispute_opened_at`, type: sql`timestamptz` },
}

/**
 * One page of the program's transactions as the index has them, the newest first, with the totals of all that match. Throws
 * `INVALID_PARAMETERS`.
 */
export async function listProgramTransactions(
  environment: Environment,
  search: ProgramTransactionSearch,
): Promise<ProgramTransactions> {
  const parsed = parseSearch(ProgramTransactionSearch, search)
  requireService(environment)
  const { serviceAt } = await readServiceClock(environment)
  const filters = withDisputeAge(parsed, serviceAt)
  const [page, totals, choices, coverage, health] = await Promise.all([
    readPage(environment, filters),
    readTotals(environment, filters),
    readChoices(environment),
    readTransactionCoverage(environment),
    readHealth(environment),
  ])
  return { ...page, totals, choices, coverage, health, serviceAt: serviceAt.toISOString() }
}

type Filters = ParsedProgramTransactionSearch & { disputeOpenedTo?: Date }

async function readPage(environment: Environment, filters: Filters) {
  const { disputeOpenedTo: _, ...search } = filters
  const { sort = 'createdAt' } = search
  const request = { list: 'transactions', environment, search }
  const isDisputed = Boolean(filters.dispute ?? filters.disputeOpenedTo)
  const matchesFew = isDisputed || [filters.merchant, filters.q].some((text) => (text?.length ?? 0) >= 3)
  const by = sort === 'amount' && matchesFew ? unindexed(sorts.amount) : sorts[sort]
  const { rows, ...page } = await pageSorted(by, request, (db, key, { condition, order, limit }) =>
    db
      .select({ id: transaction.id, row: getTableColumns(transaction), accountName: nameOfAccount, key })
      .from(transaction)
      .where(and(transactionCondition(environment, filters), condition))
      .orderBy(...order)
      .limit(limit),
  )
  return {
    ...page,
    transactions: rows.map(({ row, accountName }) => ({ ...toIndexedTransaction(row), accountName })),
  }
}

const nameOfAccount = sql<string | null>`(select name from ${account} a
  where a.environment = index_transactions.environment and a.id = index_transactions.card_account_id)`

/** How many match and their sums, per currency: the one with most transactions first. */
async function readTotals(environment: Environment, filters: Filters): Promise<TransactionTotals> {
  const matching = withoutPage(filters)
  return cachedByCost(`transaction totals ${environment} ${JSON.stringify(matching)}`, async () => {
    const counts = sql`status in ('pending', 'posted')`
    const { rows } = await indexDatabase().execute<
      Omit<TransactionTotals['totals'][number], 'currency'> & { currency: string | null; excluded: number }
    >(sql`
      select currency, sum(transactions)::int as transactions,
        trim_scale(sum(amount) filter (where entry_type = 'CREDIT' and ${counts}))::text as taken,
        trim_scale(sum(amount) filter (where entry_type = 'DEBIT' and ${counts}))::text as added,
        coalesce(sum(transactions) filter (where status = 'declined'), 0)::int as declined,
        trim_scale(sum(amount) filter (where status = 'declined'))::text as "declinedAmount",
        sum(case when status in ('declined', 'void') then 0
          when currency is not null and entry_type in ('CREDIT', 'DEBIT') and ${counts} then transactions - amounts
          else transactions end)::int as excluded
      from (select currency, status, entry_type, count(*) as transactions, count(amount) as amounts, sum(amount) as amount
        from ${transaction} where ${transactionCondition(environment, matching)} group by currency, status, entry_type) as sums
      group by currency order by 2 desc, 1`)
    return {
      matching: rows.reduce((count, { transactions }) => count + transactions, 0),
      totals: having(rows, 'currency').map(withoutExcluded),
      excluded: rows.reduce((count, { excluded }) => count + excluded, 0),
    }
  })
}

/** Those of all currencies are one figure, which has the transactions without a currency as well. */
function withoutExcluded<Totals extends { excluded: number }>(totals: Totals): Omit<Totals, 'excluded'> {
  const { excluded: _excluded, ...rest } = totals
  return rest
}

/** The codes that the program's transactions have: statuses, intents and reasons are open sets. */
async function readChoices(environment: Environment): Promise<TransactionChoices> {
  return cachedByCost(`transaction choices ${environment}`, async () => {
    const values = (column: string, condition?: SQL) => distinctValues(transaction, environment, column, condition)
    const { rows } = await indexDatabase().execute<TransactionChoices>(sql`
      select ${values('status')} as statuses, ${values('intent')} as intents, ${values('currency')} as currencies,
        ${values('mcc')} as mccs, (select coalesce(jsonb_object_agg(mcc.value, category), '{}')
          from jsonb_array_elements_text(${values('mcc')}) mcc, lateral (select merchant_category as category from ${transaction} t
            where t.environment = ${environment} and t.mcc = mcc.value and merchant_category is not null limit 1) named) as categories,
        ${values('response_code', sql`and response_code <> '00'`)} as "responseCodes"`)
    return rows[0] ?? { statuses: [], intents: [], currencies: [], mccs: [], responseCodes: [], categories: {} }
  })
}

/**
 * The declined transactions of a range by reason, the most frequent first, beside the same hours a week before: of a range that
 * ends in the future or has no end, up to the service's present time. A reason may have ended since. Throws `INVALID_PARAMETERS`.
 */
export async function listDeclineReasons(
  environment: Environment,
  search: ProgramTransactionSearch,
): Promise<DeclineReason[]> {
  const parsed = parseSearch(ProgramTransactionSearch, search)
  requireService(environment)
  const { serviceAt } = await readServiceClock(environment)
  const { dateRangeFrom: from, dateRangeTo: to, ...others } = withDisputeAge(parsed, serviceAt)
  return cachedByCost(`declines ${environment} ${JSON.stringify(parsed)}`, async () => {
    const nowMs = serviceAt.getTime()
    const isWithin = (range: { from: Date | undefined; to: Date | undefined }) =>
      transactionCondition(environment, {
        ...others,
        status: ['declined'],
        dateRangeFrom: range.from,
        dateRangeTo: range.to,
      })
    const weekBefore = (atMs: number) => new Date(atMs - 7 * dayMs)
    const now = isWithin({ from, to })
    const before = from && {
      from: weekBefore(from.getTime()),
      to: weekBefore(Math.min(to?.getTime() ?? nowMs, nowMs)),
    }
    const counted = before ? sql`((${now}) or (${isWithin(before)}))` : now
    const { rows } = await indexDatabase().execute<DeclineReason>(sql`
      select response_code as "responseCode", response_message as "responseMessage",
        count(*) filter (where ${now})::int as declines, count(distinct card_id) filter (where ${now})::int as cards,
        ${before ? sql`count(*) filter (where ${isWithin(before)})::int` : sql`null::int`} as "declinesBefore"
      from ${transaction} where ${counted}
      group by response_code, response_message order by 3 desc, 5 desc nulls last, 1, 2 limit 50`)
    return rows
  })
}
