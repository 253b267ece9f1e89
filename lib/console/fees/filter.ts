import 'server-only'
import { z } from 'zod'
import { dateTimeText, pageSize, parseSearch, plainText, ServiceId, severalTexts } from '#lib/shared/parse.ts'

/** As many as an address can hold. */
const maximumAccounts = 100

const FeeFilters = z
  .object({
    /** Free text: account, description, intent or an id. The console's own filter, as `status` is. */
    q: plainText(200),
    /** One or several: an open set. */
    status: severalTexts(100),
    feeId: ServiceId,
    /** An open set: the service names its fees. */
    intent: plainText(100).regex(/\S/, 'must not be empty'),
    /** The xid of the transaction that carries the fee. */
    xid: plainText(256),
    /** ISO 8601 with a zone; both ends included. */
    dateRangeFrom: dateTimeText,
    dateRangeTo: dateTimeText,
    /** Card accounts or funding accounts, any of them. */
    accountId: z
      .union([z.string(), z.array(z.string())], 'must be account ids')
      .transform((value) => [value].flat().flatMap((text) => text.split(',')))
      .pipe(
        z
          .array(ServiceId)
          .min(1, 'must name an account')
          .max(maximumAccounts, `must name at most ${maximumAccounts} accounts`),
      ),
    pageSize,
    pageToken: plainText(8192),
  })
  .partial()
  .refine(({ dateRangeFrom: from, dateRangeTo: to }) => !from || !to || Date.parse(from) <= Date.parse(to), {
    path: ['dateRangeFrom'],
    message: 'must not be after dateRangeTo',
  })

/** What the search part of the list's address may hold. All optional; empty texts count as absent. */
export type FeeFilters = z.input<typeof FeeFilters>
export type ParsedFeeFilters = z.output<typeof FeeFilters>

/** Throws `INVALID_PARAMETERS`, and `CARD_NUMBER_REFUSED` for a text that may be a card number. */
export function parseFeeFilters(input: unknown): ParsedFeeFilters {
  return parseSearch(FeeFilters, input)
}
