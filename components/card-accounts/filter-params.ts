import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { readSort } from '#components/data-table/table-params.ts'
import type { CardAccountFilters } from '#lib/console/card-accounts/list.ts'

const yes = parseAsStringLiteral(['yes'] as const)

/** What the URL of the list keeps. Types and statuses are open sets. An empty `groupKey` means no grouping; without one the list chooses a key. */
export const cardAccountParams = {
  q: parseAsString.withDefault(''),
  currency: parseAsString,
  accountType: parseAsString,
  identity: parseAsString,
  cardStatus: parseAsString,
  limit: parseAsStringLiteral(['over', 'near'] as const),
  outstanding: yes,
  disputed: yes,
  groupKey: parseAsString,
  group: parseAsString,
  ungrouped: yes,
  sort: parseAsString,
  pageToken: parseAsString,
}

export type CardAccountParams = {
  q: string
  currency: string | null
  accountType: string | null
  identity: string | null
  cardStatus: string | null
  limit: 'over' | 'near' | null
  outstanding: 'yes' | null
  disputed: 'yes' | null
  groupKey: string | null
  group: string | null
  ungrouped: 'yes' | null
  sort: string | null
  pageToken: string | null
}

const sortable: readonly NonNullable<CardAccountFilters['sort']>[] = [
  'createdAt',
  'name',
  'balance',
  'outstanding',
  'available',
  'disputeAmount',
  'cards',
]

/** The key that the tiles group by: the one chosen, else the most frequent; null where there is none or none is wanted. */
export function groupKeyOf(
  params: Pick<CardAccountParams, 'groupKey'>,
  keys: readonly { key: string }[],
): string | null {
  if (params.groupKey === '') return null
  return params.groupKey ?? keys[0]?.key ?? null
}

/** The filters of a read. A sort that the list does not have is left out. */
export function cardAccountFilters(params: CardAccountParams, groupKey: string | null): CardAccountFilters {
  const sort = readSort(params.sort)
  const column = sortable.find((name) => name === sort?.column)
  return {
    q: params.q || undefined,
    currency: params.currency || undefined,
    accountType: params.accountType || undefined,
    identity: params.identity || undefined,
    cardStatus: params.cardStatus || undefined,
    limit: params.limit ?? undefined,
    outstanding: params.outstanding ?? undefined,
    disputed: params.disputed ?? undefined,
    groupKey: groupKey ?? undefined,
    group: groupKey === null ? undefined : (params.group ?? undefined),
    ungrouped: groupKey === null ? undefined : (params.ungrouped ?? undefined),
    ...(column && sort ? { sort: column, direction: sort.isDescending ? 'desc' : 'asc' } : {}),
    pageToken: params.pageToken ?? undefined,
  }
}

/** Whether anything narrows the list: grouping alone does not. */
export function isNarrowed(params: CardAccountParams): boolean {
  const { q, currency, accountType, identity, cardStatus, limit, outstanding, disputed, group, ungrouped } = params
  const choices = [currency, accountType, identity, cardStatus, limit, outstanding, disputed, group, ungrouped]
  return q !== '' || choices.some((value) => value !== null)
}

/** Takes every filter away; the grouping and the sort stay. */
export const noFilters = {
  q: null,
  currency: null,
  accountType: null,
  identity: null,
  cardStatus: null,
  limit: null,
  outstanding: null,
  disputed: null,
  group: null,
  ungrouped: null,
  pageToken: null,
  from: null,
}
