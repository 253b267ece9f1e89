import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { defineListParams, type FilterNames, type ParamsOf, sortOf } from '#components/filters/list-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

const yes = parseAsStringLiteral(['yes'] as const)

/** Types and statuses are open sets. An empty `groupKey` means no grouping; without one the list chooses a key. */
export const cardAccountList = defineListParams(
  {
    q: parseAsString.withDefault(''),
    currency: parseAsString,
    accountType: parseAsString,
    identity: parseAsString,
    cardStatus: parseAsString,
    limit: parseAsStringLiteral(['over', 'near'] as const),
    outstanding: yes,
    disputed: yes,
    group: parseAsString,
    ungrouped: yes,
  } satisfies FilterNames<ReadSearch<'listCardAccounts'>>,
  { groupKey: parseAsString, sort: parseAsString },
)
export type CardAccountParams = ParamsOf<typeof cardAccountList>

/** What each sort requires: amounts can be sorted within one currency only. */
const sortable: Record<NonNullable<ReadSearch<'listCardAccounts'>['sort']>, 'currency' | null> = {
  createdAt: null,
  name: null,
  balance: 'currency',
  outstanding: 'currency',
  available: 'currency',
  disputeAmount: 'currency',
  cards: null,
}

/** Whether the list can be sorted by a column as it is filtered now. */
export function isSortable(
  column: string,
  params: Pick<CardAccountParams, 'currency'>,
): column is keyof typeof sortable {
  if (!Object.hasOwn(sortable, column)) return false
  const needed = sortable[column as keyof typeof sortable]
  return needed === null || Boolean(params[needed])
}

/**
 * The metadata key that the tiles group by: the one in the URL, else the most frequent; null where there is no key or
 * grouping is off.
 */
export function groupKeyOf(
  params: Pick<CardAccountParams, 'groupKey'>,
  keys: readonly { key: string }[],
): string | null {
  if (params.groupKey === '') return null
  return params.groupKey ?? keys[0]?.key ?? null
}

/** What the list is read with. A group counts with its key alone. */
export function cardAccountSearch(
  params: CardAccountParams,
  groupKey: string | null,
  zone: PageZone,
): ReadSearch<'listCardAccounts'> {
  return {
    ...cardAccountList.searchOf(groupKey === null ? { ...params, group: null, ungrouped: null } : params, zone),
    ...(groupKey !== null && { groupKey }),
    ...sortOf(params.sort, (column) => isSortable(column, params)),
  }
}
