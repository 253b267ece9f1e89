import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames, withSort } from '#components/filters/list-params.ts'
import { withoutThousands } from '#lib/contract/amount-entry.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

const filters = {
  q: parseAsString.withDefault(''),
  /** Statuses, intents and reasons are open sets. */
  status: parseAsArrayOf(parseAsString),
  intent: parseAsArrayOf(parseAsString),
  responseCode: parseAsArrayOf(parseAsString),
  responseMessage: parseAsString,
  merchant: parseAsString,
  mcc: parseAsArrayOf(parseAsString),
  currency: parseAsString,
  amountFrom: parseAsString,
  amountTo: parseAsString,
  cardAccountId: parseAsServiceId,
  cardId: parseAsServiceId,
  cardLast4: parseAsString,
  dispute: parseAsString,
  /** Open for at least so many days. */
  disputeDays: parseAsString,
  dateRangeFrom: parseAsDay,
  dateRangeTo: parseAsDay,
} satisfies FilterNames<ReadSearch<'listProgramTransactions'>>

const list = defineListParams(filters, { sort: parseAsString })

/** Amounts can be sorted within one currency. */
export function isSortable(
  column: string,
  { currency }: { currency: string | null },
): column is 'createdAt' | 'amount' | 'disputeOpenedAt' {
  return column === 'createdAt' || column === 'disputeOpenedAt' || (column === 'amount' && Boolean(currency))
}

export const programTransactionList = withSort(list, isSortable)

/** Error of a text as the last four digits of a card; undefined where it is valid. */
export function last4Problem(text: string): string | undefined {
  return /^\d{4}$/.test(text) ? undefined : 'Enter the last four digits.'
}

/** How an amount is read from a text filter: as people and the screen write it, `1,200.50`. */
export const amountFilter = {
  normalize: withoutThousands,
  problem: (text: string) =>
    /^\d{1,13}(?:\.\d{1,8})?$/.test(text) ? undefined : 'Enter an amount such as 120 or 1,200.50.',
}
