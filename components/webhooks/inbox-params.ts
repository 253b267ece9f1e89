import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/address-parsers.ts'
import { dayRange, wholeDays } from '#components/filters/day-range.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { InboxFilters } from '#lib/console/inbox/read.ts'
import { isoDay } from '#lib/shared/wall-clock.ts'

/** What the address of the inbox keeps. `open` is the event whose payload is shown. */
export const inboxParams = {
  event: parseAsString,
  account: parseAsServiceId,
  card: parseAsServiceId,
  kind: parseAsStringLiteral(['unknown', 'waiting', 'duplicated'] as const),
  since: parseAsDay,
  until: parseAsDay,
  pageToken: parseAsString,
  open: parseAsString,
}

export type InboxParams = Record<keyof typeof inboxParams, string | null>

export const noInboxFilters = {
  event: null,
  account: null,
  card: null,
  kind: null,
  since: null,
  until: null,
  pageToken: null,
  from: null,
}

/** The filters of a read. Days are whole days of the page's zone, today too; a range the wrong way round is put right. */
export function inboxFilters(params: InboxParams, zone: PageZone, nowMs = Date.now()): InboxFilters {
  const today = dayRange(isoDay(new Date(nowMs), zone.name), zone.name).from
  const { from, to } = wholeDays(params, zone)
  return {
    event: params.event ?? undefined,
    cardAccountId: params.account ?? undefined,
    cardId: params.card ?? undefined,
    kind: params.kind ?? undefined,
    from,
    to,
    today,
    pageToken: params.pageToken ?? undefined,
  }
}
