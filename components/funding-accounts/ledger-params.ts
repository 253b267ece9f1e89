import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsDay, parseAsUuid } from '#components/filters/address-parsers.ts'
import { wholeDays } from '#components/filters/day-range.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { LedgerFilters } from '#lib/console/funding-accounts.ts'
import { ledgerIntents, ledgerStatuses } from './ledger-words.ts'

/** What the address of the ledger keeps. `open` is the entry that is shown whole. */
export const ledgerParams = {
  account: parseAsUuid,
  intent: parseAsStringLiteral(ledgerIntents),
  status: parseAsStringLiteral(ledgerStatuses),
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
    intent: params.intent ?? undefined,
    status: params.status ?? undefined,
    dateRangeFrom: from,
    dateRangeTo: to,
    pageToken: params.pageToken ?? undefined,
  }
}
