import type { FeeEntry } from '#lib/contract/records.ts'
import type { Freshness } from '#lib/environments/types.ts'
import type { ServiceHealth } from '#lib/environments/types.ts'
import type { Coverage, RecordSum, StatusTotals } from '#lib/index/types.ts'
import type { PagePosition, PageTokens } from '#lib/shared/page-tokens.ts'

/** The balance of a card account as decimal text. `asOf` is when it was requested. */
export type FeeBalance = { currency: string | null; balance: string; asOf: string }

/** A fee beside the balance of its account; null where it is unknown, and where the interface does not say whose the fee is. */
export type FeeWithAccount = FeeRow & { balance: FeeBalance | null; freshness: Freshness }

/** The same, why it must not be waived once more, as a sentence, and the job that is to waive it; null where there is none. */
export type FeeDetail = FeeWithAccount & { waivedBefore: string | null; heldBy: HoldingJob | null }

/** A job that has a fee to waive before it, and who started it. */
export type HoldingJob = { id: string; title: string; by: string }

/** Whom a fee was charged to. `name` and `xid` are null until the index has the account. */
export type FeeAccount =
  | { kind: 'card-account'; id: string; name: string | null; xid: string | null }
  | { kind: 'funding-account'; label: string | null; number: string | null }

/**
 * A fee as a list shows it. `change` is what it does to the balance as signed decimal text; null where the service gives no
 * amount or no direction.
 */
export type FeeRow = { fee: FeeEntry; account: FeeAccount | null; change: string | null }

/** A page of fees with the totals of all that match, and how complete and fresh the index is. */
export type FeeList = {
  fees: FeeRow[]
  totals: StatusTotals
  /** The values that occur, as filters. */
  choices: { intents: string[]; currencies: string[] }
  coverage: Coverage
  health: ServiceHealth
} & PagePosition &
  PageTokens

/** The returned amount by currency, as signed decimal text. `currency` is null where none is provided. */
export type WaiverTotal = RecordSum & { currency: string | null }

/**
 * The effect of waiving on one account in one currency. `amount` is the returned amount, signed, without the `excluded`
 * fees. The balances are null where they are unknown, or of another currency; `after` also where fees are excluded.
 */
export type AccountEffect = RecordSum & {
  account: FeeAccount | null
  currency: string | null
  before: string | null
  after: string | null
  asOf: string | null
}
