import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayRange } from '#components/filters/day-range.ts'
import { parseAsDay, parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames, type ParamsOf } from '#components/filters/list-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { isoDay } from '#lib/shared/wall-clock.ts'

const list = defineListParams(
  {
    event: parseAsString,
    cardAccountId: parseAsServiceId,
    cardId: parseAsServiceId,
    kind: parseAsStringLiteral(['unknown', 'waiting', 'duplicated'] as const),
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
  } satisfies FilterNames<ReadSearch<'listInbox'>>,
  { open: parseAsString },
)

/** `open` is the event whose payload is shown. `today` begins where the days of the filters do. */
export const inboxList = {
  ...list,
  toSearch: (params: Partial<ParamsOf<typeof list>>, zone: PageZone, nowMs = Date.now()) => ({
    ...list.toSearch(params, zone),
    today: dayRange(isoDay(new Date(nowMs), zone.name), zone.name).from,
  }),
}
