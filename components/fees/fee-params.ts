import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/address-parsers.ts'
import { wholeDays } from '#components/filters/day-range.ts'
import { refuseCardNumber } from '#components/filters/refuse-card-number.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { FeeFilters } from '#lib/console/fees/list.ts'
import { isServiceId } from '#lib/shared/ids.ts'

/** What the address of the list keeps. `open` is the fee whose details are shown. */
export const feeParams = {
  fee: parseAsServiceId,
  intent: parseAsString,
  xid: parseAsString,
  account: parseAsArrayOf(parseAsServiceId),
  since: parseAsDay,
  until: parseAsDay,
  pageToken: parseAsString,
  open: parseAsServiceId,
}

export type FeeParams = {
  fee: string | null
  intent: string | null
  xid: string | null
  account: string[] | null
  since: string | null
  until: string | null
  pageToken: string | null
  open: string | null
}

export const noFeeFilters = {
  fee: null,
  intent: null,
  xid: null,
  account: null,
  since: null,
  until: null,
  pageToken: null,
  from: null,
}

export function isNarrowed({ fee, intent, xid, account, since, until }: FeeParams): boolean {
  return [fee, intent, xid, account, since, until].some((value) => value !== null)
}

/** The filters of a read. Days are whole days of the page's zone; a range the wrong way round is put right. */
export function feeFilters(params: FeeParams, zone: PageZone): FeeFilters {
  const { from, to } = wholeDays(params, zone)
  return {
    feeId: params.fee ?? undefined,
    intent: params.intent || undefined,
    xid: params.xid || undefined,
    accountId: params.account && params.account.length > 0 ? params.account.toSorted() : undefined,
    dateRangeFrom: from,
    dateRangeTo: to,
    pageToken: params.pageToken ?? undefined,
  }
}

/** The rules of the interface for the filters that take a text, before anything is sent. */
export const filterProblems = {
  fee: (text: string) =>
    refuseCardNumber(text) ?? (isServiceId(text) ? undefined : 'A fee id has at most 200 characters.'),
  xid: (text: string) => refuseCardNumber(text) ?? (text.length > 256 ? 'At most 256 characters.' : undefined),
}
