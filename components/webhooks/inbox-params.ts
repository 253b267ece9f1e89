import { parseAsString } from 'nuqs/server'
import { dayRange } from '#components/filters/day-range.ts'
import { defineListParams, type ParamsOf } from '#components/filters/list-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import { inboxSearch } from '#lib/api/inbox.ts'
import { isoDay } from '#lib/shared/wall-clock.ts'

const list = defineListParams(inboxSearch, { open: parseAsString })

/** `open` is the event whose payload is shown. `today` begins where the days of the filters do. */
export const inboxList = {
  ...list,
  toSearch: (params: Partial<ParamsOf<typeof list>>, zone: PageZone, nowMs = Date.now()) => ({
    ...list.toSearch(params, zone),
    today: dayRange(isoDay(new Date(nowMs), zone.name), zone.name).from,
  }),
}
