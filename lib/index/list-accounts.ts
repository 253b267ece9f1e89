import 'server-only'
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { withoutPage } from '#lib/api/search.ts'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { amount } from '#lib/shared/money.ts'
import { having, lacking } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { indexedTransactions as transaction } from '#lib/tables/transactions.ts'
import { amountSorts, toAccountCondition, groupExpression, type ParsedAccountFilters } from './account-filter.ts'
import { toCardAccount } from './account-record.ts'
import { pageSorted, type Sort, type SortByRates, unindexed } from './keyset.ts'
import type { CardAccountRow, CurrencyTotals, IndexPage } from './types.ts'

/** `excluded` counts the accounts that match and are in no total, because their currency is not provided. */
type AccountTotals = { totals: CurrencyTotals[]; excluded: number }

type Filters = ParsedAccountFilters & { disputeOpenedTo?: Date }

const sorts: Record<NonNullable<ParsedAccountFilters['sort']>, Sort> = {
  createdAt: { by: sql`created_at`, type: sql`timestamptz` },
  name: { by: sql`lower(name)`, type: sql`text` },
  balance: { by: sql`balance`, type: sql`numeric` },
  outstanding: { by: sql`outstanding`, type: sql`numeric` },
  available: { by: sql`available`, type: sql`numeric` },
  disputeAmount: { by: sql`dispute_amount`, type: sql`numeric` },
  cards: { by: sql`cards`, type: sql`integer` },
  disputedSince: { by: sql`disputed_since`, type: sql`timestamptz` },
}

/** Units of each currency per unit of the reporting currency. Amounts of several currencies are compared by their value. */
export type ReportingRates = Readonly<Record<string, string>>

/** Units of a row's currency per unit of the reporting currency; null where there is no rate. */
export function unitsPerReportingUnit(rates: ReportingRates): SQL {
  return sql`(${JSON.stringify({ ...rates, [reportingCurrency]: '1' })}::jsonb ->> currency)::numeric`
}

/** The newest rates at or before a moment, and when they were read. */
type ReadRates = (notAfter: Date | undefined) => Promise<{ rates: ReportingRates; at: Date | null }>

/** `readRates` reads those that amounts are compared by where the filter leaves several currencies. */
export async function listIndexedAccounts(
  environment: Environment,
  filters: Filters,
  readRates: ReadRates = async () => ({ rates: {}, at: null }),
): Promise<IndexPage> {
  const { disputeOpenedTo: _, ...search } = filters
  const { sort = 'createdAt' } = search
  const direction = sort === 'name' ? ('asc' as const) : ('desc' as const)
  const request = { list: 'card-accounts', environment, search, direction }
  const isByValue = !filters.currency && amountSorts.some((name) => name === sort)
  const matchesFew = filters.limit === 'near' || (sort === 'name' && Boolean(filters.q))
  const { by, type } = matchesFew ? unindexed(sorts[sort]) : sorts[sort]
  const byValue: SortByRates = async (ratesAt) => {
    const { rates, at } = await readRates(ratesAt)
    return { by: sql`(${by} / ${unitsPerReportingUnit(rates)})`, type, ratesAt: at ?? new Date(0) }
  }
  const order = isByValue ? byValue : { by, type }
  const { rows, ...page } = await pageSorted(order, request, (db, key, { condition, order, limit }) =>
    db
      .select({
        id: account.id,
        row: getTableColumns(account),
        group: filters.groupKey ? groupExpression(filters.groupKey) : sql<null>`null`,
        lastActivityAt: sql<
          string | null
        >`(select to_char(max(t.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          from ${transaction} t where t.environment = index_accounts.environment and t.card_account_id = index_accounts.id)`,
        key,
      })
      .from(account)
      .where(and(toAccountCondition(environment, filters), condition))
      .orderBy(...order)
      .limit(limit),
  )
  return {
    ...page,
    rows: rows.map(({ row, group, lastActivityAt }) => ({
      account: toCardAccount(row),
      cards: row.cards,
      group,
      rejectedReason: row.clientIdentityStatus === 'rejected' ? row.rejectedReason : null,
      lastActivityAt,
      disputedSince: isDisputed(row) ? isoTime(row.disputedSince) : null,
      disputeMayBeOlder: isDisputed(row) && row.disputeMayBeOlder,
      asOf: row.readAt.toISOString(),
    })),
  }
}

function isDisputed({ disputeAmount }: typeof account.$inferSelect): boolean {
  return disputeAmount !== null && amount(disputeAmount).gt(0)
}

/** The ids of the accounts of a page whose identity is rejected. */
export function rejectedIn(rows: readonly CardAccountRow[]): string[] {
  return rows.filter((row) => row.account.clientIdentityStatus === 'rejected').map((row) => row.account.id)
}

/**
 * The sums of one group in one currency, as decimal text, and their values in the reporting currency; null where no account has the
 * figure, or where there is no rate. `lacking` counts the accounts that lack one.
 */
export type GroupSums = Record<
  'balance' | 'value' | 'outstanding' | 'outstandingValue' | 'available' | 'availableValue',
  string | null
> & { group: string; currency: string | null; lacking: number }

/** The sums of the accounts that match, by group and currency. Group `""` holds the accounts without the key. */
export async function readSumsOfGroups(
  environment: Environment,
  groupKey: string | undefined,
  filters: Filters,
  rates: ReportingRates,
): Promise<GroupSums[]> {
  const group = groupKey ? sql`coalesce(${groupExpression(groupKey)}, '')` : sql`''`
  const units = unitsPerReportingUnit(rates)
  return cachedByCost(`groups ${environment} ${JSON.stringify([groupKey, filters, rates])}`, async () => {
    const { rows } = await indexDatabase().execute<GroupSums>(sql`
      select "group", currency, lacking, trim_scale(balance)::text as balance, round(balance / units, 2)::text as value,
        trim_scale(outstanding)::text as outstanding, round(outstanding / units, 2)::text as "outstandingValue",
        trim_scale(available)::text as available, round(available / units, 2)::text as "availableValue"
      from (
        select ${group} as "group", currency, ${units} as units, sum(balance) as balance, sum(outstanding) as outstanding,
          sum(available) as available, count(*) filter (where num_nulls(balance, outstanding, available) > 0)::int as lacking
        from ${account} where ${toAccountCondition(environment, filters)} group by 1, 2
      ) as sums`)
    return rows
  })
}

/** The currencies of all accounts, in the order of their codes. */
export function readCurrencies(environment: Environment): Promise<string[]> {
  return cachedByCost(`currencies ${environment}`, async () => {
    const rows = await indexDatabase()
      .selectDistinct({ currency: account.currency })
      .from(account)
      .where(eq(account.environment, environment))
      .orderBy(account.currency)
    return rows.flatMap(({ currency }) => currency ?? [])
  })
}

/** How many match, and their sums per currency. */
export async function readTotals(environment: Environment, filters: Filters): Promise<AccountTotals> {
  const matching = withoutPage(filters)
  return cachedByCost(`totals ${environment} ${JSON.stringify(matching)}`, async () => {
    const { rows } = await indexDatabase().execute<Omit<CurrencyTotals, 'currency'> & { currency: string | null }>(sql`
      select currency, count(*)::int as accounts, trim_scale(sum(balance))::text as balance,
        trim_scale(sum(outstanding))::text as outstanding, trim_scale(sum(available))::text as available,
        trim_scale(sum(dispute_amount))::text as "disputeAmount",
        count(*) filter (where num_nulls(balance, outstanding, available, dispute_amount) > 0)::int as excluded
      from ${account} where ${toAccountCondition(environment, matching)} group by currency order by count(*) desc, currency`)
    return {
      totals: having(rows, 'currency'),
      excluded: lacking(rows, 'currency')[0]?.accounts ?? 0,
    }
  })
}
