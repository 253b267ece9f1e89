import 'server-only'
import { and, eq, gte, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { feeSearch } from '#lib/api/fees.ts'
import { containsText, hasId } from '#lib/index/conditions.ts'
import { checkSort, filterSchemas, sortedPage } from '#lib/index/search-schema.ts'
import { searchTerms } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedFees as fee } from '#lib/tables/fees.ts'

export const FeeFilters = z
  .object({ ...filterSchemas(feeSearch.filters), ...sortedPage(feeSearch.sorts) })
  .partial()
  .superRefine(checkSort(feeSearch.sorts))
  .refine(({ dateRangeFrom: from, dateRangeTo: to }) => !from || !to || from <= to, {
    path: ['dateRangeFrom'],
    message: 'must not be after dateRangeTo',
  })

/** Search parameters of the list. All optional; empty texts count as absent. */
export type FeeFilters = z.input<typeof FeeFilters>
export type ParsedFeeFilters = z.output<typeof FeeFilters>

/** The rows that match a filter. */
export function feeCondition(environment: Environment, filters: ParsedFeeFilters): SQL {
  const { q, status, feeId, intent, currency, xid, dateRangeFrom, dateRangeTo, accountId } = filters
  const conditions = [
    eq(fee.environment, environment),
    ...searchTerms(q ?? '').map((term) => or(containsText(fee.searchText, term), containsText(fee.accountText, term))),
    status && status.length > 0 ? inArray(fee.status, status) : undefined,
    feeId ? sql`lower(${fee.id}) = ${feeId.toLowerCase()}` : undefined,
    intent ? eq(fee.intent, intent) : undefined,
    currency ? eq(fee.currency, currency) : undefined,
    xid ? sql`lower(${fee.transactionXid}) = ${xid.toLowerCase()}` : undefined,
    dateRangeFrom ? gte(fee.createdAt, dateRangeFrom) : undefined,
    dateRangeTo ? lte(fee.createdAt, dateRangeTo) : undefined,
    accountId ? hasId(fee.cardAccountId, accountId) : undefined,
  ]
  return and(...conditions) ?? sql`true`
}
