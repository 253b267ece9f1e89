import 'server-only'
import { and, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { payoutSearch } from '#lib/api/payouts.ts'
import { containsText } from '#lib/index/conditions.ts'
import { checkSort, filterSchemas, sortedPage } from '#lib/index/search-schema.ts'
import { searchTerms } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedPayouts as payout } from '#lib/tables/payouts.ts'

export const PayoutFilters = z
  .object({ ...filterSchemas(payoutSearch.filters), ...sortedPage(payoutSearch.sorts) })
  .partial()
  .superRefine(checkSort(payoutSearch.sorts))

/** Search parameters of the list. All optional; empty texts count as absent. */
export type PayoutFilters = z.input<typeof PayoutFilters>
export type ParsedPayoutFilters = z.output<typeof PayoutFilters>

/** SQL condition: the payouts that match the filters. */
export function payoutCondition(environment: Environment, filters: ParsedPayoutFilters): SQL {
  const { q, status: statuses, method, sourceCurrency, destinationCurrency, accountId } = filters
  const { dateRangeFrom, dateRangeTo } = filters
  const conditions = [
    eq(payout.environment, environment),
    // Every term is in the holder's name, the external id or the id.
    ...(q ? searchTerms(q).map((term) => containsText(payout.searchText, term)) : []),
    statuses && statuses.length > 0 ? inArray(payout.status, statuses) : undefined,
    method ? eq(payout.method, method) : undefined,
    sourceCurrency ? eq(payout.sourceCurrency, sourceCurrency) : undefined,
    destinationCurrency ? eq(payout.destinationCurrency, destinationCurrency) : undefined,
    accountId ? sql`lower(${payout.accountId}) = ${accountId.toLowerCase()}` : undefined,
    dateRangeFrom ? gte(payout.createdAt, dateRangeFrom) : undefined,
    dateRangeTo ? lte(payout.createdAt, dateRangeTo) : undefined,
  ]
  return and(...conditions) ?? sql`true`
}
