import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId, refuseCardNumber } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { isServiceId } from '#lib/shared/ids.ts'

/** `open` is the fee whose details are shown. */
export const feeList = defineListParams(
  {
    q: parseAsString.withDefault(''),
    /** An open set. */
    status: parseAsArrayOf(parseAsString),
    feeId: parseAsServiceId,
    intent: parseAsString,
    xid: parseAsString,
    accountId: parseAsArrayOf(parseAsServiceId),
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
  } satisfies FilterNames<ReadSearch<'listFees'>>,
  { open: parseAsServiceId },
)

/** The rules of the interface for the filters that take a text, before anything is sent. */
export const filterProblems = {
  feeId: (text: string) =>
    refuseCardNumber(text) ?? (isServiceId(text) ? undefined : 'A fee ID has at most 200 characters.'),
  xid: (text: string) => refuseCardNumber(text) ?? (text.length > 256 ? 'At most 256 characters.' : undefined),
}
