import 'server-only'
import { and, eq, gte, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { containsText, hasId } from '#lib/index/conditions.ts'
import { dateTime, plainText, searchTerms, ServiceId, severalTexts, sortedPage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedFees as fee } from '#lib/tables/fees.ts'

/** As many as an address can hold. */
const maximumAccounts = 100

export const FeeFilters = z
  .object({
    /** Free text: account, description, intent or an id. */
    q: plainText(200),
    /** One or several: an open set. */
    status: severalTexts(100),
    feeId: ServiceId,
    /** An open set: the service names its fees. */
    intent: plainText(100).regex(/\S/, 'must not be empty'),
    currency: plainText(16),
    /** The xid of the transaction that carries the fee. */
    xid: plainText(256),
    /** When it was charged, ISO 8601 with a zone; both ends included. */
    dateRangeFrom: dateTime,
    dateRangeTo: dateTime,
    /** Card accounts, any of them. */
    accountId: z
      .union([z.string(), z.array(z.string())], 'must be account ids')
      .transform((value) => [value].flat().flatMap((text) => text.split(',')))
      .pipe(
        z
          .array(ServiceId)
          .min(1, 'must name an account')
          .max(maximumAccounts, `must name at most ${maximumAccounts} accounts`),
      ),
    ...sortedPage(['createdAt', 'amount']),
  })
  .partial()
  .refine(({ dateRangeFrom: from, dateRangeTo: to }) => !from || !to || from <= to, {
    path: ['dateRangeFrom'],
    message: 'must not be after dateRangeTo',
  })
  .refine(({ sort, currency }) => currency || sort !== 'amount', {
    path: ['sort'],
    message: 'by an amount needs a currency: amounts of different currencies have no order',
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
