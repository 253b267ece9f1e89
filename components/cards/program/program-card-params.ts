import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayRange } from '#components/filters/day-range.ts'
import { parseAsChecked, parseAsDay } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
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

const list = defineListParams(
  {
    q: parseAsString.withDefault(''),
    /** Statuses and products are open sets. */
    status: parseAsArrayOf(parseAsString),
    product: parseAsArrayOf(parseAsString),
    expiresTo: parseAsChecked(monthProblem),
    limit: parseAsStringLiteral(['near']),
    unusedSince: parseAsChecked(dayProblem),
    usedAt: parseAsString,
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
    declinedThere: parseAsStringLiteral(['no']),
  } satisfies FilterNames<ReadSearch<'listProgramCards'>>,
  {},
  { issued: [], expires: [], name: [], used: [], limitUse: [] },
)

/** A card is unused since the beginning of a day. */
export const programCardList = {
  ...list,
  toSearch: (params: Parameters<typeof list.toSearch>[0], zone: PageZone) => {
    const { unusedSince, ...search } = list.toSearch(params, zone)
    return { ...search, ...(unusedSince && { unusedSince: dayRange(unusedSince, zone.name).from }) }
  },
}
