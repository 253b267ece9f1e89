import type { CardAccount, ClientIdentity } from '#lib/contract/records.ts'
import type { Freshness, ServiceHealth } from '#lib/environments/types.ts'
import type { AccountCoverage, IndexPage } from '#lib/index/types.ts'

export type IdentityList = IndexPage & {
  /** All accounts that match, on every page. */
  matching: number
  /** Accounts of each status, whatever the filter; null: the service did not provide it. */
  counts: { status: string | null; accounts: number }[]
  /** Reasons that were read of rejected identities, the most frequent first. */
  reasons: { reason: string; accounts: number }[]
  coverage: AccountCoverage
  health: ServiceHealth
}

export type IdentityCase = {
  account: CardAccount
  identity: ClientIdentity
  history: IdentityStep[]
  freshness: Freshness
}

/** A step in the history of a client identity. `at` is null where the time is unknown. */
export type IdentityStep = {
  kind: 'submitted' | 'approved' | 'rejected' | 'resubmitted'
  at: string | null
  rejectedReason: string | null
  /** How the console knows: a webhook event, the record itself, an operation of its own, or by inference. */
  source: 'event' | 'record' | 'operation' | 'inferred'
  /** The event that reported the step. */
  event: { id: string; name: string } | null
  /** The person who submitted it again from the console. */
  by: string | null
}
