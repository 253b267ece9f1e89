import 'server-only'
import { and, eq, gt, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { cardAccountSearch, groupsWithin } from '#lib/api/card-accounts.ts'
import { parseJson } from '#lib/shared/json.ts'
import { plainText, searchTerms } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable, storableText } from '#lib/shared/texts.ts'
import { indexedAccounts as account, indexedCards as card } from '#lib/tables/card-accounts.ts'
import { containsText } from './conditions.ts'
import { checkSort, filterSchemas, sortedPage } from './search-schema.ts'

/** Compared by their value in the reporting currency, unless the list has one currency. */
export const amountSorts = ['balance', 'outstanding', 'available', 'disputeAmount'] as const

export const CardAccountFilters = z
  .object({
    ...filterSchemas(cardAccountSearch.filters),
    /** Accounts whose identity is rejected for this reason, as far as reasons were read. */
    rejectedReason: plainText(300),
    groupKey: plainText(256),
    ...sortedPage(cardAccountSearch.sorts),
  })
  .partial()
  .superRefine(checkSort(cardAccountSearch.sorts))
  .refine((filters) => filters.groupKey || (!filters.group && !filters.ungrouped), {
    path: ['groupKey'],
    message: 'must be given with group or ungrouped',
  })

/** Search parameters of the list. All optional; empty texts count as absent. */
export type CardAccountFilters = z.input<typeof CardAccountFilters>
export type ParsedAccountFilters = z.output<typeof CardAccountFilters>

/** Over: nothing is left. Near: less than a tenth of the limit is left, which has an index. */
export const limitConditions = {
  over: sql`${account.available} < 0`,
  near: sql`(${account.accountType} = 'credit' and ${account.limit} > 0 and ${account.available} >= 0 and ${account.available} < ${account.limit} / 10)`,
}

export const isRejected = eq(account.clientIdentityStatus, 'rejected')

/** The rows that match a filter. */
export function toAccountCondition(
  environment: Environment,
  filters: ParsedAccountFilters & { disputeOpenedTo?: Date },
): SQL {
  const { q, currency, accountType, identity, rejectedReason, cardStatus } = filters
  const conditions = [
    eq(account.environment, environment),
    ...(q ? searchTerms(q).map((term) => matches(environment, term)) : []),
    currency ? eq(account.currency, currency) : undefined,
    accountType ? eq(account.accountType, accountType) : undefined,
    identity ? eq(account.clientIdentityStatus, identity) : undefined,
    rejectedReason ? and(isRejected, eq(account.rejectedReason, rejectedReason)) : undefined,
    cardStatus ? hasCard(environment, sql`status = ${cardStatus}`) : undefined,
    filters.limit ? limitConditions[filters.limit] : undefined,
    filters.outstanding ? gt(account.outstanding, '0') : undefined,
    filters.disputed || filters.disputeOpenedTo ? gt(account.disputeAmount, '0') : undefined,
    filters.disputeOpenedTo ? lte(account.disputedSince, filters.disputeOpenedTo) : undefined,
    filters.groupKey ? groupCondition(filters.groupKey, filters) : undefined,
    ...groupsWithin(filters).map(([key, value]) =>
      groupCondition(key, value === '' ? { ungrouped: 'yes' } : { group: value }),
    ),
  ]
  return and(...conditions) ?? sql`true`
}

/** The value of an account under a metadata key, as text, a JSON null as `null`; null where it has none. */
export function groupExpression(groupKey: string): SQL<string | null> {
  return sql<string | null>`case when jsonb_typeof(xmetadata) = 'object' then
    case when jsonb_typeof(xmetadata -> ${groupKey}::text) = 'null' then 'null' else xmetadata ->> ${groupKey}::text end end`
}

/** Shorter terms match too many accounts to search cards as well. */
const shortestCardId = 4

/**
 * Matches an account whose name, xid or id contains the term, or that has a card with this id or these last four
 * digits.
 */
function matches(environment: Environment, term: string): SQL {
  const found = containsText(account.searchText, term)
  if (term.length < shortestCardId) return found
  const cardAccounts = sql`select card_account_id from ${card} where environment = ${environment} and (lower(id) = ${term} or last4 = ${term})`
  // Digits match few accounts, which their indexes find; terms may match most, which the order of the list finds sooner.
  return /\d{3}/.test(term)
    ? sql`${account.id} in (select id from ${account} where environment = ${environment} and ${found} union ${cardAccounts})`
    : sql`(${found} or ${account.id} in (${cardAccounts}))`
}

function hasCard(environment: Environment, condition: SQL): SQL {
  return sql`${account.id} in (select card_account_id from ${card} where environment = ${environment} and ${condition})`
}

/** The index has metadata without what PostgreSQL cannot store, so that a filter by such a text finds it without that, too. */
function groupCondition(given: string, { group, ungrouped }: ParsedAccountFilters): SQL | undefined {
  const groupKey = storableText(given)
  // An empty value is none: both are added up in one group.
  if (ungrouped) return sql`coalesce(${groupExpression(groupKey)}, '') = ''`
  if (group === undefined) return undefined
  const asText = sql`xmetadata @> ${JSON.stringify({ [groupKey]: storableText(group) })}::jsonb`
  // A group that is not text is named by its JSON text.
  const value = parseJson(group)
  return value === undefined || typeof value === 'string'
    ? asText
    : sql`(${asText} or (jsonb_typeof(xmetadata) = 'object' and xmetadata -> ${groupKey}::text = ${JSON.stringify(storable(value))}::jsonb))`
}
