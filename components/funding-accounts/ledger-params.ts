import { parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/address-parsers.ts'
import { wholeDays } from '#components/filters/day-range.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { LedgerFilters } from '#lib/console/funding-accounts.ts'

/** What the URL of the ledger keeps. Intents and statuses are open sets. `open` is the entry that is shown whole. */
export const ledgerParams = {
  account: parseAsServiceId,
  intent: parseAsString,
  status: parseAsString,
  since: parseAsDay,
  until: parseAsDay,
  pageToken: parseAsString,
  open: parseAsString,
}

export type LedgerParams = Record<keyof typeof ledgerParams, string | null>

export const noLedgerFilters = {
  account: null,
  intent: null,
  status: null,
  since: null,
  until: null,
  pageToken: null,
  from: null,
}

/** The filters of a read. Days are whole days of the page's zone; a range the wrong way round is put right. */
export function ledgerFilters(params: LedgerParams, zone: PageZone): LedgerFilters {
  const { from, to } = wholeDays(params, zone)
  return {
    accountId: params.account ?? undefined,
    intent: params.intent || undefined,
    status: params.status || undefined,
    dateRangeFrom: from,
    dateRangeTo: to,
    pageToken: params.pageToken ?? undefined,
  }
}
