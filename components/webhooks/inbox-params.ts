import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayRange } from '#components/transactions/day-range.ts'
import { parseAsDay, parseAsUuid } from '#components/transactions/transaction-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { InboxFilters } from '#lib/console/inbox/read.ts'

/** What the address of the inbox keeps. `open` is the event whose payload is shown. */
export const inboxParams = {
  event: parseAsString,
  account: parseAsUuid,
  card: parseAsUuid,
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

/** The filters of a read. Days are whole days of the page's zone; a range the wrong way round is put right. */
export function inboxFilters(params: InboxParams, zone: PageZone): InboxFilters {
  const { since, until } = params
  const [first, last] = since !== null && until !== null && since > until ? [until, since] : [since, until]
  return {
    event: params.event ?? undefined,
    cardAccountId: params.account ?? undefined,
    cardId: params.card ?? undefined,
    kind: params.kind ?? undefined,
    from: first ? dayRange(first, zone.name).from : undefined,
    to: last ? dayRange(last, zone.name).to : undefined,
    pageToken: params.pageToken ?? undefined,
  }
}
