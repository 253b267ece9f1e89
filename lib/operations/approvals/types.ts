import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import type { SentPayout, SimilarPayout } from '#lib/console/payouts/types.ts'
import type { BulkLimits, BulkMoney } from '../bulk/types.ts'
import type { ApprovalState, Operation, Outcome } from '../types.ts'
import type { ApprovalTopic, PolicyRule, PolicyTopic } from './policy-rules.ts'

/** The number of people who can decide, their names where they are few, and their roles. */
export type Approvers = { count: number; names: string[]; roles: string[]; name: string | null }

/** A request about an object that waits for an approval. Times are ISO 8601. */
export type WaitingRequestOf = {
  approvalId: string
  targetId: string
  /** The effect as a sentence. */
  effect: string
  by: string
  since: string
  expiresAt: string
}

/** A request that waits for a second person, or that one has decided. Times are ISO 8601. */
export type Approval = {
  /** The id of its operation or bulk job. */
  id: string
  subject: 'operation' | 'bulk-job'
  kind: string
  topic: ApprovalTopic
  state: ApprovalState
  /** Staff, or a help desk's agent, who has no role; `ticket` is theirs. */
  by: Actor
  ticket: string | null
  target: Target
  reason: string | null
  comment: string | null
  effect: string
  amount: string | null
  currency: string | null
  /** Money that a job of fee waivers returns, by currency; empty for other requests. */
  refunds: BulkMoney[]
  /** The amount that was debited, where it differs from the approved one: the quote had expired. */
  executed: { amount: string; currency: string | null } | null
  /** Outcome of the approved request; null for one that is not approved, and for a job. */
  outcome: Outcome['state'] | null
  /** The rules of the policy that apply, as sentences. */
  because: string[]
  createdAt: string
  expiresAt: string
  decidedAt: string | null
  decidedBy: Actor | null
  decisionReason: string | null
}

/** Search parameters of a page or a URL. */
export type ApprovalFilters = Record<string, string | string[] | undefined>

/** How many requests wait, those of the reader included, and the oldest of them. */
export type WaitingApprovals = { count: number; oldest: Pick<Approval, 'id' | 'effect' | 'createdAt'>[] }

/** The request as it is sent. `body` is its exact text; digits that may be a card number are hidden. */
export type ApprovalRequest = {
  method: string
  path: string
  body: string
  /** SHA-256 of method, path and body; null where the body holds a secret that a digest would give away. */
  sha256: string | null
}

/** The approved terms of a payout whose quote may expire before it is sent. */
export type ApprovalTerms = {
  sha256: string | null
  sourceAmount: string
  maximumSourceAmount: string
  sourceCurrency: string
  /** The request waits and its quote has expired: once approved, it is sent with a new quote. */
  hasExpired: boolean
  /** The digest of the request that followed from the terms with a newer quote; null where none was needed. */
  sentSha256: string | null
}

export type ApprovalDetail = {
  approval: Approval
  /** The digest that a decision names. */
  fingerprint: string
  holdsSecret: boolean
  request: ApprovalRequest | null
  terms: ApprovalTerms | null
  /** The limits that a job sets, by currency; empty for other requests. */
  limits: BulkLimits[]
  /** The payout as it is sent; null for other requests. */
  payout: SentPayout | null
  /** Earlier payouts that it may repeat. */
  similar: SimilarPayout[]
  /** The operation with its outcome; null for a bulk job. */
  operation: Operation | null
  /** Why an approval would change nothing any more, as a sentence: the card is cancelled already. */
  obstacle: string | null
  approvers: Approvers
  /** Whether the reader’s account made it, and can withdraw it. */
  isOwn: boolean
  /** Whether the reader made it, under this account, another one with the same address or from a help desk, and can’t decide. */
  isMaker: boolean
  /** The name of the account that it is about, or whose card or fee; null where the index has none. */
  cardholder: string | null
  /** The last operations on the same object, newest first. */
  history: Operation[]
}

/** The terms of a policy. `helpDesk`: requests that help desks can make from a ticket. */
export type PolicyTerms = {
  rules: PolicyRule[]
  helpDesk: HelpDeskPolicy
  expiryHours: number
  tolerancePercent: string
}

/** A version of the policy as people see it. Times are ISO 8601. */
export type Policy = PolicyTerms & {
  id: string
  state: 'proposed' | 'active' | 'replaced' | 'rejected' | 'withdrawn'
  comment: string
  proposedBy: { id: string; name: string }
  proposedAt: string
  decidedBy: { id: string; name: string } | null
  decidedAt: string | null
}

export type PolicyState = {
  /** Null while nothing needs an approval. */
  active: Policy | null
  /** The people who can approve a request of the reader. */
  approvers: Approvers
  proposed: (Policy & { isOwn: boolean; confirmers: Approvers }) | null
  history: Policy[]
  defaults: PolicyTerms
}

/** A rule as a form has it. */
export type PolicyRuleEntry =
  | { topic: PolicyTopic; when: 'always' }
  | { topic: Exclude<PolicyTopic, 'cancellations'>; when: 'amount'; amount: string; currency: string }
  | { topic: PolicyTopic; when: 'count'; count: number | string }
