import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import type { PageZone } from '#components/ui/time-format.ts'
import type { TransactionFilters } from '#lib/console/transactions.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { dayRange } from './day-range.ts'
import { transactionIntents, transactionStatuses } from './transaction-words.ts'

export const parseAsUuid = createParser({
  parse: (text) => (isUuid(text) ? text.toLowerCase() : null),
  serialize: (id: string) => id,
})

/** A day that exists, as `YYYY-MM-DD`. */
export const parseAsDay = createParser({
  parse: (text) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
    return isDay && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text) ? text : null
  },
  serialize: (day: string) => day,
})

/** What the address keeps of a list of transactions, beside the table's own page. */
export const transactionParams = {
  /** A transaction's id or external id, whole. */
  find: parseAsString,
  status: parseAsStringLiteral(transactionStatuses),
  intent: parseAsArrayOf(parseAsStringLiteral(transactionIntents)),
  card: parseAsUuid,
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
  const [from, to] = [params.since, params.until].every((day) => day !== null)
    ? [params.since, params.until].sort()
    : [params.since, params.until]
  return {
    find: params.find?.trim() || undefined,
    cardId: cardId ?? params.card ?? undefined,
    status: params.status ?? undefined,
    intent: params.intent && params.intent.length > 0 ? [...params.intent].sort() : undefined,
    dateRangeFrom: from ? dayRange(from, zone.name).from : undefined,
    dateRangeTo: to ? dayRange(to, zone.name).to : undefined,
    pageToken: params.pageToken ?? undefined,
  }
}
