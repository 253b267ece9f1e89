import 'server-only'
import { and, getTableColumns, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { cachedByCost } from '../cache.ts'
import { pageSorted, type Sort } from '../keyset.ts'
import type { CardAccountRow, CurrencyTotals, DirectoryPage } from '../shapes.ts'
import { directoryAccounts as account } from '../tables/directory.ts'
import { accountOf } from './account-record.ts'
import { conditionOf, groupExpression, type ParsedFilters } from './filter.ts'

/** `excluded` counts the accounts that match and are in no total, because their currency is not provided. */
type DirectoryTotals = { totals: CurrencyTotals[]; excluded: number }

const sorts: Record<NonNullable<ParsedFilters['sort']>, Sort> = {
  createdAt: { by: sql`created_at`, type: sql`timestamptz` },
  name: { by: sql`lower(name)`, type: sql`text` },
  balance: { by: sql`balance`, type: sql`numeric` },
  outstanding: { by: sql`outstanding`, type: sql`numeric` },
  available: { by: sql`available`, type: sql`numeric` },
  disputeAmount: { by: sql`dispute_amount`, type: sql`numeric` },
  cards: { by: sql`cards`, type: sql`integer` },
}

const defaultPageSize = 50

export async function listDirectory(environment: Environment, filters: ParsedFilters): Promise<DirectoryPage> {
  const { sort = 'createdAt', pageSize = defaultPageSize } = filters
  const { direction = sort === 'name' ? 'asc' : 'desc' } = filters
  const scope = ['card-accounts', environment, { ...filters, pageToken: null, pageSize: null }]
  const request = { scope, token: filters.pageToken, size: pageSize }
  const { rows, ...page } = await pageSorted(sorts[sort], direction, request, (key, { condition, order, limit }) =>
    database()
      .select({
        id: account.id,
        row: getTableColumns(account),
        group: filters.groupKey ? groupExpression(filters.groupKey) : sql<null>`null`,
        key,
      })
      .from(account)
      .where(and(conditionOf(environment, filters), condition))
      .orderBy(...order)
      .limit(limit),
  )
  return {
    ...page,
    rows: rows.map(({ row, group }) => ({
      account: accountOf(row),
      cards: row.cards,
      group,
      rejectedReason: row.clientIdentityStatus === 'rejected' ? row.rejectedReason : null,
      asOf: row.readAt.toISOString(),
    })),
  }
}

/** The ids of the accounts of a page whose identity is rejected. */
export function rejectedIn(rows: readonly CardAccountRow[]): string[] {
  return rows.filter((row) => row.account.clientIdentityStatus === 'rejected').map((row) => row.account.id)
}

/** How many match, and their sums per currency. */
export async function totalsOf(environment: Environment, filters: ParsedFilters): Promise<DirectoryTotals> {
  const { sort: _sort, direction: _direction, pageSize: _pageSize, pageToken: _pageToken, ...narrowing } = filters
  return cachedByCost(`totals ${environment} ${JSON.stringify(narrowing)}`, async () => {
    const { rows } = await database().execute<Omit<CurrencyTotals, 'currency'> & { currency: string | null }>(sql`
      select currency, count(*)::int as accounts, trim_scale(sum(balance))::text as balance,
        trim_scale(sum(outstanding))::text as outstanding, trim_scale(sum(available))::text as available,
        trim_scale(sum(dispute_amount))::text as "disputeAmount",
        count(*) filter (where num_nulls(balance, outstanding, available, dispute_amount) > 0)::int as excluded
      from ${account} where ${conditionOf(environment, narrowing)} group by currency order by count(*) desc, currency`)
    return {
      totals: rows.flatMap(({ currency, ...sums }) => (currency === null ? [] : [{ currency, ...sums }])),
      excluded: rows.find(({ currency }) => currency === null)?.accounts ?? 0,
    }
  })
}
