import 'server-only'
import { and, getTableColumns, sql } from 'drizzle-orm'
import type { CardAccount } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { cutSortedPage, placeIn, SortedPlace, sortedPage, type PageTokens, type Sort } from '../keyset.ts'
import { directoryAccounts as account } from '../tables/directory.ts'
import { accountOf } from './account-record.ts'
import { keptByCost } from './cost.ts'
import { conditionOf, groupExpression, type ParsedFilters } from './filter.ts'

/** One line of the list: the account as the directory has it. `cards` is null where they were not read yet. */
export type CardAccountRow = {
  account: CardAccount
  cards: number | null
  /** The account's value under the filter's `groupKey`; null without one. Values that are not text are JSON text. */
  group: string | null
  asOf: string
}

/** Sums of all accounts of one currency that match the filter, as decimal text. */
export type CurrencyTotals = {
  currency: string
  accounts: number
  balance: string
  outstanding: string
  available: string
  disputeAmount: string
}

export type DirectoryPage = {
  rows: CardAccountRow[]
  /** Position of the first and last row among those that match, from 1; 0 when there is none. */
  first: number
  last: number
} & PageTokens

/** Each sort has an index on environment, its expression and the id. */
const sorts: Record<NonNullable<ParsedFilters['sort']>, Sort> = {
  createdAt: { by: sql`created_at`, type: sql`timestamptz` },
  name: { by: sql`lower(name)`, type: sql`text` },
  balance: { by: sql`balance`, type: sql`numeric` },
  outstanding: { by: sql`outstanding`, type: sql`numeric` },
  available: { by: sql`available`, type: sql`numeric` },
  disputeAmount: { by: sql`dispute_amount`, type: sql`numeric` },
  cards: { by: sql`coalesce(cards, -1)`, type: sql`integer` },
}

const defaultPageSize = 50

export async function listDirectory(environment: Environment, filters: ParsedFilters): Promise<DirectoryPage> {
  const { sort = 'createdAt', pageSize = defaultPageSize } = filters
  const { direction = sort === 'name' ? 'asc' : 'desc' } = filters
  const scope = JSON.stringify(['card-accounts', environment, { ...filters, pageToken: null, pageSize: null }])
  const place = placeIn(SortedPlace, scope, filters.pageToken)
  const { key, beyond, order } = sortedPage(sorts[sort], direction, place)
  const found = await database()
    .select({
      row: getTableColumns(account),
      group: filters.groupKey ? groupExpression(filters.groupKey) : sql<null>`null`,
      key,
    })
    .from(account)
    .where(and(conditionOf(environment, filters), beyond))
    .orderBy(...order)
    .limit(pageSize + 1)
  const { rows, ...page } = cutSortedPage(found, pageSize, place, scope, ({ row }) => row.id)
  return {
    ...page,
    rows: rows.map(({ row, group }) => ({
      account: accountOf(row),
      cards: row.cards,
      group,
      asOf: row.readAt.toISOString(),
    })),
  }
}

/** How many match, and their sums per currency. */
export async function totalsOf(environment: Environment, filters: ParsedFilters): Promise<CurrencyTotals[]> {
  const { sort: _sort, direction: _direction, pageSize: _pageSize, pageToken: _pageToken, ...narrowing } = filters
  return keptByCost(`totals ${environment} ${JSON.stringify(narrowing)}`, async () => {
    const { rows } = await database().execute<CurrencyTotals>(sql`
      select currency, count(*)::int as accounts, sum(balance)::text as balance, sum(outstanding)::text as outstanding,
        sum(available)::text as available, sum(dispute_amount)::text as "disputeAmount"
      from ${account} where ${conditionOf(environment, narrowing)} group by currency order by count(*) desc, currency`)
    return rows.map((row) => ({
      ...row,
      balance: trimmed(row.balance),
      outstanding: trimmed(row.outstanding),
      available: trimmed(row.available),
      disputeAmount: trimmed(row.disputeAmount),
    }))
  })
}

/** Decimal text without the zeros that the column's scale adds. */
function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
