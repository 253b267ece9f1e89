import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { wholeDays } from '#components/filters/day-range.ts'
import { parseAsChecked, parseAsDay } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames, parseSort } from '#components/filters/list-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { isDay } from '#lib/shared/wall-clock.ts'

/** Error of a text as a month; undefined where it is valid. */
function monthProblem(text: string): string | undefined {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? undefined : 'Enter a month such as 2027-03.'
}

/** Error of a text as a day; undefined where it is valid. */
function dayProblem(text: string): string | undefined {
  return isDay(text) ? undefined : 'Enter a day such as 2026-10-01.'
}

const filters = {
  q: parseAsString.withDefault(''),
  /** Statuses and products are open sets. */
  status: parseAsArrayOf(parseAsString),
  product: parseAsArrayOf(parseAsString),
  expiresTo: parseAsChecked(monthProblem),
  limit: parseAsString,
  unusedSince: parseAsChecked(dayProblem),
  usedAt: parseAsString,
  dateRangeFrom: parseAsDay,
  dateRangeTo: parseAsDay,
  declinedThere: parseAsString,
} satisfies FilterNames<ReadSearch<'listProgramCards'>>

const list = defineListParams(filters, { sort: parseAsString })
type Sort = NonNullable<ReadSearch<'listProgramCards'>['sort']>

const sortable: readonly string[] = ['issued', 'expires', 'name', 'used', 'limitUse'] satisfies Sort[]

export function isSortable(column: string): column is Sort {
  return sortable.includes(column)
}

export const programCardList = {
  ...list,
  toSearch: (params: Parameters<typeof list.toSearch>[0] & { sort: string | null }, zone: PageZone) => {
    const { limit, unusedSince, declinedThere, ...search } = list.toSearch(params, zone)
    const since = unusedSince && wholeDays({ since: unusedSince, until: null }, zone).from
    return {
      ...search,
      ...(limit === 'near' ? { limit: 'near' as const } : {}),
      ...(since ? { unusedSince: since } : {}),
      ...(declinedThere === 'no' ? { declinedThere: 'no' as const } : {}),
      ...parseSort(params.sort, isSortable),
    }
  },
}
