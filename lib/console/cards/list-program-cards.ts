import 'server-only'
import { and, eq, gt, inArray, lt, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { programCardSearch } from '#lib/api/cards.ts'
import { withoutPage } from '#lib/api/search.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { readAccountCoverage } from '#lib/index/accounts-sync.ts'
import { containsTerm } from '#lib/index/conditions.ts'
import { readOccurring } from '#lib/index/distinct-values.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { countUnreadCards } from '#lib/index/index-cards.ts'
import { pageSorted, type Sort, unindexed } from '#lib/index/keyset.ts'
import { filterSchemas, sortedPage } from '#lib/index/search-schema.ts'
import { cardUseCondition } from '#lib/index/transaction-filter.ts'
import { readTransactionCoverage } from '#lib/index/transactions-sync.ts'
import { findWaiting } from '#lib/operations/approvals/waiting.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { parseSearch, searchTerms } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { indexedAccounts as account, indexedCards as card } from '#lib/tables/card-accounts.ts'
import { transactionProgress as reading } from '#lib/tables/transactions.ts'
import type { ProgramCard, ProgramCards } from './types.ts'

export const CardSearch = z
  .object({ ...filterSchemas(programCardSearch.filters), ...sortedPage(programCardSearch.sorts) })
  .partial()

/** Search parameters of the URL. All optional; empty texts count as absent. */
export type CardSearch = z.input<typeof CardSearch>
type ParsedCardSearch = z.output<typeof CardSearch>

const sorts: Record<NonNullable<ParsedCardSearch['sort']>, Sort> = {
  issued: { by: sql`issued_at`, type: sql`text` },
  expires: { by: sql`expires_on`, type: sql`integer` },
  name: { by: sql`lower(embossed_name)`, type: sql`text` },
  last4: { by: sql`last4`, type: sql`text` },
  used: { by: sql`last_used_at`, type: sql`timestamptz` },
  limitUse: { by: sql`limit_use`, type: sql`numeric` },
}

function sortOf(sort: keyof typeof sorts, { q, unusedSince }: ParsedCardSearch): Sort {
  if (sort === 'used') return { ...sorts.used, valued: unusedSince && lt(card.lastUsedAt, unusedSince) }
  if (sort === 'name' && q) return unindexed(sorts.name)
  return sorts[sort]
}

/** Sorts whose last come first where no direction is given. */
const newestFirst: readonly string[] = ['issued', 'used', 'limitUse']

/** A column of the list's table within a sub-select, where its name alone may be another table's. */
const own = (column: string) => sql.raw(`index_cards.${column}`)

/**
 * Whether the transactions of the card's account were read to their end: a card without one was never used. Not by `exists`, for which
 * PostgreSQL would read every account before the first row.
 */
const isUseKnown = sql<boolean>`coalesce((select r.is_whole from ${reading} r where r.environment = ${own('environment')}
  and r.card_account_id = ${own('card_account_id')}), false)`

/** One page of the program's cards as the index has them, and how many match. Throws `INVALID_PARAMETERS`. */
export async function listProgramCards(environment: Environment, search: CardSearch): Promise<ProgramCards> {
  const filters = parseSearch(CardSearch, search)
  requireService(environment)
  await freshenForReader(environment)
  const isByUse = filters.unusedSince !== undefined || cardUseCondition(environment, own('id'), filters) !== undefined
  const [page, matching, excluded, choices, coverage, health, transactions] = await Promise.all([
    readPage(environment, filters),
    countMatching(environment, filters),
    countUnreadCards(environment),
    readOccurring(card, environment, { statuses: 'status', products: 'product_name' }),
    readAccountCoverage(environment),
    readHealth(environment),
    isByUse ? readTransactionCoverage(environment) : null,
  ])
  return { ...page, matching, excluded, choices, coverage, health, transactions }
}

async function readPage(environment: Environment, filters: ParsedCardSearch) {
  const { sort = 'issued' } = filters
  const direction = newestFirst.includes(sort) ? ('desc' as const) : ('asc' as const)
  const request = { list: 'cards', environment, search: filters, direction }
  const { rows, ...page } = await pageSorted(sortOf(sort, filters), request, (db, key, { condition, order, limit }) =>
    db
      .select({
        id: card.id,
        cardAccountId: card.cardAccountId,
        accountName: sql<string | null>`(select name from ${account} a
          where a.environment = ${own('environment')} and a.id = ${own('card_account_id')})`,
        status: card.status,
        last4: card.last4,
        embossedName: card.embossedName,
        productName: card.productName,
        expiresOn: card.expiresOn,
        cardLimit: card.cardLimit,
        availableLimit: card.availableLimit,
        currency: sql<string | null>`(select currency from ${account} a
          where a.environment = ${own('environment')} and a.id = ${own('card_account_id')})`,
        lastUsedAt: card.lastUsedAt,
        isUseKnown,
        // Where the account has more than its limit, less than nothing of it is used.
        limitUse: sql<string | null>`case when ${card.limitUse} < 0 then '0' else ${card.limitUse}::text end`,
        asOf: card.readAt,
        key,
      })
      .from(card)
      .where(and(cardCondition(environment, filters), condition))
      .orderBy(...order)
      .limit(limit),
  )
  const waiting = await findWaiting(
    environment,
    'card.cancel',
    rows.map(({ id }) => id),
  )
  const cards: ProgramCard[] = rows.map(({ key: _key, asOf, lastUsedAt, ...row }) => ({
    ...row,
    lastUsedAt: isoTime(lastUsedAt),
    isCancellationWaiting: waiting.some(({ targetId }) => targetId === row.id),
    asOf: asOf.toISOString(),
  }))
  return { ...page, cards }
}

/** The cards of the index that a search matches. */
export function cardCondition(environment: Environment, search: ParsedCardSearch): SQL {
  const { q, status, product, expiresTo, limit, unusedSince } = search
  const conditions = [
    eq(card.environment, environment),
    ...(q ? searchTerms(q).map((term) => containsTerm(card.searchText, term)) : []),
    ...(status ? [inArray(card.status, status)] : []),
    ...(product ? [inArray(card.productName, product)] : []),
    ...(expiresTo ? [lte(card.expiresOn, Number(expiresTo.replace('-', '')))] : []),
    ...(limit ? [gt(card.limitUse, '0.9')] : []),
    ...(unusedSince ? [sql`coalesce(${lt(card.lastUsedAt, unusedSince)}, ${isUseKnown})`] : []),
    cardUseCondition(environment, own('id'), search),
  ]
  return and(...conditions) ?? sql`true`
}

async function countMatching(environment: Environment, filters: ParsedCardSearch): Promise<number> {
  const matching = withoutPage(filters)
  return cachedByCost(`card count ${environment} ${JSON.stringify(matching)}`, () =>
    indexDatabase().$count(card, cardCondition(environment, matching)),
  )
}
