import { parseAsString } from 'nuqs/server'
import { defineListParams, type ParamsOf } from '#components/filters/list-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import { cardAccountSearch, groupsWithin } from '#lib/api/card-accounts.ts'
import { withoutPage } from '#lib/api/search.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** An empty `groupKey` means no grouping; without one the list chooses a key. */
export const cardAccountList = defineListParams(cardAccountSearch, { groupKey: parseAsString })
export type CardAccountParams = ParamsOf<typeof cardAccountList>

/** Whether the list is of disputed accounts: then it has the age of the oldest dispute of each. */
export function isOfDisputes({ disputed, disputeDays }: Pick<CardAccountParams, 'disputed' | 'disputeDays'>): boolean {
  return disputed !== null || disputeDays !== null
}

/**
 * The metadata key that the tiles group by: the one in the URL, else the most frequent; null where there is no key or
 * grouping is off.
 */
export function findGroupKey(
  params: Pick<CardAccountParams, 'groupKey'>,
  keys: readonly { key: string }[],
): string | null {
  if (params.groupKey === '') return null
  return params.groupKey ?? keys[0]?.key ?? null
}

type Grouping = Pick<CardAccountParams, 'groupKey' | 'group' | 'ungrouped' | 'within'>

/** The list without one of these groups. */
export function withoutGroup(params: Pick<Grouping, 'within'>, key: string): Pick<Grouping, 'within'> {
  return { within: toWithinParam(groupsWithin(params).filter(([other]) => other !== key)) }
}

function toWithinParam(pairs: [string, string][]): string | null {
  return pairs.length === 0 ? null : new URLSearchParams(pairs).toString()
}

/** Groups by another key, or by none (`''`): the chosen group stays a filter of its own, until its key is grouped by again. */
export function regrouped(params: Grouping, from: string | null, to: string): Grouping {
  const chosen = params.ungrouped === 'yes' ? '' : params.group
  const pairs = groupsWithin(params)
  if (from !== null && chosen !== null) pairs.push([from, chosen])
  const again = pairs.find(([key]) => key === to)?.[1] ?? null
  return {
    groupKey: to,
    group: again === '' ? null : again,
    ungrouped: again === '' ? 'yes' : null,
    within: toWithinParam(pairs.filter(([key]) => key !== to)),
  }
}

/** Search of the tiles: the list's filters but for the chosen tile. */
export function tileSearch(search: ReadSearch<'listCardAccounts'>): ReadSearch<'readAggregateBalances'> {
  const { group: _group, ungrouped: _ungrouped, ...filters } = withoutPage(search)
  return filters
}

/** The filters in effect: a group counts with its key alone, and no accounts are in a group and in none. */
export function filtersInEffect<Params extends Pick<Grouping, 'group' | 'ungrouped'>>(
  params: Params,
  groupKey: string | null,
): Params {
  if (groupKey === null) return { ...params, group: null, ungrouped: null }
  return params.ungrouped === null ? params : { ...params, group: null }
}

/** Search of the list. */
export function toCardAccountSearch(
  params: CardAccountParams,
  groupKey: string | null,
  zone: PageZone,
): ReadSearch<'listCardAccounts'> {
  return {
    ...cardAccountList.toSearch(filtersInEffect(params, groupKey), zone),
    ...(groupKey !== null && { groupKey }),
  }
}
