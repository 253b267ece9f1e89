import type { AccountTransaction } from '#lib/contract/records.ts'
import type { Freshness, ServiceHealth } from '#lib/environments/types.ts'
import type { Coverage, StatusTotals } from '#lib/index/types.ts'
import type { PagePosition, PageTokens } from '#lib/shared/page-tokens.ts'

/** An entry of the funding accounts' ledger. `key` is the id of its row in the index: its own id, where the service sends one. */
export type LedgerEntry = AccountTransaction & { key: string }

/** A page of the ledger with the totals of all that match, and how complete and fresh the index is. */
export type LedgerList = {
  transactions: LedgerEntry[]
  totals: StatusTotals
  /** The values that occur, as filters. */
  choices: Record<'intents' | 'statuses' | 'currencies', string[]>
  coverage: Coverage
  health: ServiceHealth
} & PagePosition &
  PageTokens

export type LedgerEntryDetail = { entry: LedgerEntry; freshness: Freshness }
