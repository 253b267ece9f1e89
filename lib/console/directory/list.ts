import 'server-only'
import { and, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import type { CardAccount } from '#lib/contract/card-accounts.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { pageToken, placeOf } from '../page-token.ts'
import { Refusal } from '../refusal.ts'
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
  prevPageToken: string | null
  nextPageToken: string | null
}

/** Each sort has an index on environment, its expression and the id. */
const sorts: Record<NonNullable<ParsedFilters['sort']>, { by: SQL; type: SQL }> = {
  createdAt: { by: sql`created_at`, type: sql`timestamptz` },
  name: { by: sql`lower(name)`, type: sql`text` },
  balance: { by: sql`balance`, type: sql`numeric` },
  outstanding: { by: sql`outstanding`, type: sql`numeric` },
  available: { by: sql`available`, type: sql`numeric` },
  disputeAmount: { by: sql`dispute_amount`, type: sql`numeric` },
  cards: { by: sql`coalesce(cards, -1)`, type: sql`integer` },
}

const Place = z.object({ key: z.string(), id: z.uuid(), side: z.enum(['after', 'before']), position: z.int() })
type Place = z.infer<typeof Place>

const defaultPageSize = 50

/** One page by keyset: whatever is added or moves meanwhile, no row that stays is skipped or shown twice. */
export async function listDirectory(environment: Environment, filters: ParsedFilters): Promise<DirectoryPage> {
  const { sort = 'createdAt', pageSize = defaultPageSize } = filters
  const { direction = sort === 'name' ? 'asc' : 'desc' } = filters
  const { by, type } = sorts[sort]
  const scope = JSON.stringify(['card-accounts', environment, { ...filters, pageToken: null, pageSize: null }])
  const place = filters.pageToken === undefined ? null : parsePlace(scope, filters.pageToken)

  const isBackward = place?.side === 'before'
  const isAscending = (direction === 'asc') !== isBackward
  const order = isAscending ? sql`asc` : sql`desc`
  const beyond = place && sql`(${by}, id) ${isAscending ? sql`>` : sql`<`} (${place.key}::${type}, ${place.id}::uuid)`
  const found = await database()
    .select({
      row: getTableColumns(account),
      group: filters.groupKey ? groupExpression(filters.groupKey) : sql<null>`null`,
      key: sql<string>`(${by})::text`.as('sort_key'),
    })
    .from(account)
    .where(and(conditionOf(environment, filters), beyond ?? undefined))
    .orderBy(sql`${by} ${order}`, sql`id ${order}`)
    .limit(pageSize + 1)

  const hasMore = found.length > pageSize
  const page = found.slice(0, pageSize)
  if (isBackward) page.reverse()
  const first = page.length === 0 ? 0 : firstPosition(place, page.length, hasMore)
  const last = page.length === 0 ? 0 : first + page.length - 1
  const tokenAt = (index: number, side: Place['side'], position: number) => {
    const at = page.at(index)
    return at ? pageToken(scope, { key: at.key, id: at.row.id, side, position } satisfies Place) : null
  }
  return {
    rows: page.map(({ row, group }) => ({
      account: accountOf(row),
      cards: row.cards,
      group,
      asOf: row.readAt.toISOString(),
    })),
    first,
    last,
    prevPageToken: (isBackward ? hasMore : place !== null) ? tokenAt(0, 'before', first) : null,
    nextPageToken: isBackward || hasMore ? tokenAt(-1, 'after', last) : null,
  }
}

function parsePlace(scope: string, token: string): Place {
  const place = Place.safeParse(placeOf(scope, token))
  if (place.success) return place.data
  throw new Refusal('INVALID_PARAMETERS', 'pageToken is not a place in this list; start again from the first page')
}

/** Where the page begins, counted from the place it was asked from. */
function firstPosition(place: Place | null, rows: number, hasMore: boolean): number {
  if (!place) return 1
  if (place.side === 'after') return place.position + 1
  return hasMore ? Math.max(place.position - rows, 1) : 1
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
