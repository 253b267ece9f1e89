import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsChecked, parseAsDay, parseAsDays, parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** Error of a text as the last four digits of a card; undefined where it is valid. */
function last4Problem(text: string): string | undefined {
  return /^\d{4}$/.test(text) ? undefined : 'Enter the last four digits.'
}

/** Error of a text as an amount without separators of thousands; undefined where it is valid. */
export function amountProblem(text: string): string | undefined {
  return /^\d{1,13}(?:\.\d{1,8})?$/.test(text) ? undefined : 'Enter an amount such as 120 or 1,200.50.'
}

/** Statuses, intents and reasons are open sets. Amounts can be sorted within one currency. */
export const programTransactionList = defineListParams(
  {
    q: parseAsString.withDefault(''),
    status: parseAsArrayOf(parseAsString),
    intent: parseAsArrayOf(parseAsString),
    responseCode: parseAsArrayOf(parseAsString),
    responseMessage: parseAsString,
    merchant: parseAsString,
    mcc: parseAsArrayOf(parseAsString),
    currency: parseAsString,
    amountFrom: parseAsChecked(amountProblem),
    amountTo: parseAsChecked(amountProblem),
    cardAccountId: parseAsServiceId,
    cardId: parseAsServiceId,
    cardLast4: parseAsChecked(last4Problem),
    dispute: parseAsString,
    /** Open for at least so many days. */
    disputeDays: parseAsDays,
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
  } satisfies FilterNames<ReadSearch<'listProgramTransactions'>>,
  {},
  { createdAt: [], disputeOpenedAt: [], amount: ['currency'] },
)
