import type { Actor, Target } from '../shapes.ts'
import type { PolicyTopic } from './policy-rules.ts'

export const approvalStates = ['waiting', 'approved', 'declined', 'expired', 'withdrawn'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** Who can decide: how many people, and the roles that they hold. */
export type Approvers = { count: number; roles: string[] }

/** A request that waits for a second person, or that one has decided. Times are ISO 8601. */
export type Approval = {
  /** The id of its operation or bulk job. */
  id: string
  subject: 'operation' | 'bulk-job'
  kind: string
  topic: PolicyTopic
  state: ApprovalState
  by: Actor
  target: Target
  reason: string | null
  comment: string | null
  effect: string
  amount: string | null
  currency: string | null
  /** The rules that asked for it, as sentences. */
  because: string[]
  createdAt: string
  expiresAt: string
  decidedAt: string | null
  decidedBy: Actor | null
  decisionReason: string | null
}
