import type { Operation } from '../shapes.ts'
import { actorOf, targetOf, type OperationRow } from './journal.ts'
import { outcomeOf } from './outcome.ts'

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
