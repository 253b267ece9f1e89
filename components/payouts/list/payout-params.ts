import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { readSort } from '#components/data-table/table-params.ts'
import { parseAsDay } from '#components/filters/address-parsers.ts'
import { wholeDays } from '#components/filters/day-range.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { PayoutFilters } from '#lib/console/payouts/list.ts'

/** What the address of the list keeps. Statuses and methods are open sets: any text may stand there. */
export const payoutParams = {
  q: parseAsString.withDefault(''),
  status: parseAsArrayOf(parseAsString),
  method: parseAsString,
  sourceCurrency: parseAsString,
  destinationCurrency: parseAsString,
  account: parseAsString,
  since: parseAsDay,
  until: parseAsDay,
  sort: parseAsString,
  pageToken: parseAsString,
}

export type PayoutParams = {
  q: string
  status: string[] | null
  method: string | null
  sourceCurrency: string | null
  destinationCurrency: string | null
  account: string | null
  since: string | null
  until: string | null
  sort: string | null
  pageToken: string | null
}

/** What each sort needs beside it: amounts have an order within one currency alone. */
const sortable: Record<NonNullable<PayoutFilters['sort']>, 'sourceCurrency' | 'destinationCurrency' | null> = {
  created: null,
  updated: null,
  sourceAmount: 'sourceCurrency',
  destinationAmount: 'destinationCurrency',
}

/** Whether the list can be sorted by a column as it is filtered now. */
export function isSortable(
  column: string,
  params: Pick<PayoutParams, 'sourceCurrency' | 'destinationCurrency'>,
): column is NonNullable<PayoutFilters['sort']> {
  if (!Object.hasOwn(sortable, column)) return false
  const needed = sortable[column as keyof typeof sortable]
  return needed === null || Boolean(params[needed])
}

/** The filters of a read. Days are whole days of the page's zone; a range the wrong way round is put right. */
export function payoutFilters(params: PayoutParams, zone: PageZone): PayoutFilters {
  const { from, to } = wholeDays(params, zone)
  const sort = readSort(params.sort)
  const statuses = params.status?.filter((status) => status !== '').toSorted() ?? []
  return {
    q: params.q || undefined,
    status: statuses.length > 0 ? statuses : undefined,
    method: params.method || undefined,
    sourceCurrency: params.sourceCurrency || undefined,
    destinationCurrency: params.destinationCurrency || undefined,
    accountId: params.account || undefined,
    from,
    to,
    ...(sort && isSortable(sort.column, params)
      ? { sort: sort.column, direction: sort.isDescending ? ('desc' as const) : ('asc' as const) }
      : {}),
    pageToken: params.pageToken ?? undefined,
  }
}

export function isNarrowed(params: PayoutParams): boolean {
  const { q, status, method, sourceCurrency, destinationCurrency, account, since, until } = params
  const choices = [method, sourceCurrency, destinationCurrency, account, since, until]
  return q !== '' || (status?.length ?? 0) > 0 || choices.some(Boolean)
}

/** Takes every filter away; the sort stays where it can. */
export const noPayoutFilters = {
  q: null,
  status: null,
  method: null,
  sourceCurrency: null,
  destinationCurrency: null,
  account: null,
  since: null,
  until: null,
  pageToken: null,
  from: null,
}
