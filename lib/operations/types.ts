import type { Actor, Target } from '#lib/audit/types.ts'
import type { StepUpRequest } from '#lib/auth/types.ts'
import type { Environment } from '#lib/shared/routes.ts'

export const approvalStates = ['waiting', 'approved', 'declined', 'expired', 'withdrawn'] as const
/** How a request stands that needs a second person. */
export type ApprovalState = (typeof approvalStates)[number]

/**
 * `settled`: the operation exists, whatever its outcome. `record` is what was read back, null where it could not be read;
 * `fields` are the input fields that an error of the service is about. `invalid`: nothing was sent, the fields say why.
 * `refused`: nothing was sent (signed out, not permitted, not connected, the id belongs to another operation).
 */
export type ActionResult<Read = unknown> =
  | { kind: 'settled'; operation: Operation; record: Read | null; fields: Record<string, string> }
  | NotStarted

export type NotStarted = { kind: 'invalid'; fields: Record<string, string> } | { kind: 'refused'; outcome: Outcome }

/** An operation in the history of a record. `act` is its kind: `card.lock`, `reference.set`, … */
export type PastOperation = {
  kind: 'operation'
  operationId: string
  act: string
  at: string
  by: Actor
  reason: string | null
  comment: string | null
  outcome: Outcome
}

/**
 * The outcome of an operation for people: what happened, whether anything changed, whether it is safe to try again,
 * what to do next, and what to quote to support.
 */
export type Outcome = {
  /** `waiting`: for the approval of a second person. */
  state: 'done' | 'partial' | 'refused' | 'unknown' | 'running' | 'waiting'
  happened: string
  changed: 'yes' | 'no' | 'unknown'
  /** Trying again under the same operation can do no harm and may help. */
  isSafeToRetry: boolean
  /** A person has to find out the outcome: the console cannot. */
  needsReview: boolean
  /** Empty where nothing has to be done. */
  next: string
  /** The stable code of the service or of the console; null where there is none (a generic 500 has none). */
  code: string | null
  status: number | null
  requestId: string | null
  /** The finding of the last check and its time (ISO 8601); null where nothing was checked, or the outcome is known. */
  finding: { text: string; at: string } | null
  /** From when the service accepts requests again, as it said; ISO 8601. */
  retryAt: string | null
  /** What the record shows beyond what was requested, as the last sentence of `happened`. Only of what is done. */
  remark?: string
  /** The action that a passkey has to confirm before it is sent again. */
  stepUp?: StepUpRequest
  /** The request that waits for an approval already. */
  approvalId?: string
}

/** An operation as its journal has it. Times are ISO 8601. */
export type Operation = {
  id: string
  environment: Environment
  /** The kind: `card.lock`, `card.cancel`, … */
  kind: string
  target: Target
  by: Actor
  reason: string | null
  comment: string | null
  outcome: Outcome
  /** The steps before it, where several operations are one. */
  steps: { kind: string; outcome: Outcome }[]
  /** The id of what was made: a payout, a webhook. Null where nothing was, or it is not known. */
  resultId: string | null
  attempts: number
  createdAt: string
  settledAt: string | null
}
