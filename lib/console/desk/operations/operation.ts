import type { Environment } from '#lib/shared/routes.ts'
import type { Actor } from '../actor.ts'
import type { Target } from '../target.ts'
import { actorOf, targetOf, type OperationRow } from './journal.ts'
import { outcomeOf, type Outcome } from './outcome.ts'

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
  /** The id of what was made: a payout, a webhook. Null where nothing was, or it is not known. */
  resultId: string | null
  attempts: number
  createdAt: string
  settledAt: string | null
}

export function operationOf(row: OperationRow): Operation {
  return {
    id: row.id,
    environment: row.environment,
    kind: row.kind,
    target: targetOf(row),
    by: actorOf(row),
    reason: row.reason,
    comment: row.comment,
    outcome: outcomeOf(row),
    resultId: row.resultId,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
  }
}
