import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/address-parsers.ts'
import { wholeDays } from '#components/filters/day-range.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { TransactionFilters } from '#lib/console/transactions/list.ts'

/** What the URL keeps of a list of transactions, beside the table's own page. Statuses and intents are open sets. */
export const transactionParams = {
  /** A transaction's id or external id, whole. */
  find: parseAsString,
  status: parseAsString,
  intent: parseAsArrayOf(parseAsString),
  card: parseAsServiceId,
  since: parseAsDay,
  until: parseAsDay,
  pageToken: parseAsString,
}

export type TransactionParams = {
  find: string | null
  status: string | null
  intent: string[] | null
  card: string | null
  since: string | null
  until: string | null
  pageToken: string | null
}

export const noTransactionFilters = {
  find: null,
  status: null,
  intent: null,
  card: null,
  since: null,
  until: null,
  pageToken: null,
  from: null,
}

export function isNarrowed({ find, status, intent, card, since, until }: TransactionParams): boolean {
  return [find, status, intent, card, since, until].some((value) => value !== null)
}

/** The filters of a read. Days are whole days of the page's zone; a range the wrong way round is put right. */
export function transactionFilters(params: TransactionParams, zone: PageZone, cardId?: string): TransactionFilters {
  const { from, to } = wholeDays(params, zone)
  const intents = params.intent?.filter((intent) => intent !== '') ?? []
  return {
    find: params.find?.trim() || undefined,
    cardId: cardId ?? params.card ?? undefined,
    status: params.status || undefined,
    intent: intents.length > 0 ? intents.toSorted() : undefined,
    dateRangeFrom: from,
    dateRangeTo: to,
    pageToken: params.pageToken ?? undefined,
  }
}
