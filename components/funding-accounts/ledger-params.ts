import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayRange } from '#components/transactions/day-range.ts'
import { parseAsDay, parseAsUuid } from '#components/transactions/transaction-params.ts'
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
  const { since, until } = params
  const [first, last] = since !== null && until !== null && since > until ? [until, since] : [since, until]
  return {
    accountId: params.account ?? undefined,
    intent: params.intent ?? undefined,
    status: params.status ?? undefined,
    dateRangeFrom: first ? dayRange(first, zone.name).from : undefined,
    dateRangeTo: last ? dayRange(last, zone.name).to : undefined,
    pageToken: params.pageToken ?? undefined,
  }
}

/** The address of this very list with an entry opened. */
export function addressOfEntry({ from, ...kept }: LedgerParams & { from: number }, open: string): string {
  const entries = Object.entries({ ...kept, ...(kept.pageToken ? { from: String(from) } : {}), open })
  return new URLSearchParams(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  ).toString()
}
