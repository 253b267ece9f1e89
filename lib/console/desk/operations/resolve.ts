import 'server-only'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { AppError } from '../app-error.ts'
import { appendAudit } from '../audit/chain.ts'
import { fieldErrors } from '../parse.ts'
import type { ActionResult } from '../shapes.ts'
import { operations } from '../tables/operations.ts'
import { requireActor, unlessRefused } from './act.ts'
import { findOperation, targetOf } from './journal.ts'
import { rowOfKind } from './kinds.ts'
import { operationOf } from './operation.ts'
import { publishOperation } from './perform.ts'
import { ActionInput } from './spec.ts'

const Resolution = ActionInput.extend({
  /** Whether the record was made, as a person found it at the service. */
  resolution: z.enum(['made', 'not-made'], 'must be made or not-made'),
})
export type ResolveOperationInput = z.input<typeof Resolution>

/**
 * Settles an operation that the console cannot settle by itself (`NEEDS_REVIEW`) by what a person found. Refused with
 * `OPERATION_NOT_FOUND` for any other operation.
 */
export function resolveOperation(input: ResolveOperationInput): Promise<ActionResult> {
  return unlessRefused(async () => {
    const named = Resolution.shape.operationId.safeParse(input.operationId)
    const found = named.success ? await findOperation(database(), named.data) : null
    // What it takes to resolve an operation is what it takes to start it.
    const permission = rowOfKind(found?.kind ?? '')?.permission ?? 'payouts.submit'
    const about = () => (found ? targetOf(found) : null)
    const { id, name, role } = await requireActor({ kind: 'operation.resolve', permission, about }, input)
    const parsed = Resolution.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const { environment, operationId, resolution } = parsed.data
    const row = await inTransaction(database(), async (tx) => {
      const [open] = await tx.select().from(operations).where(eq(operations.id, operationId)).for('update')
      if (open?.environment !== environment || open.settledAt || open.code !== 'NEEDS_REVIEW') return null
      const isMade = resolution === 'made'
      const message = `${isMade ? 'Found at the service' : 'Not found at the service'} by ${name}.`
      const [settled] = await tx
        .update(operations)
        .set({
          state: isMade ? 'done' : 'refused',
          code: 'RESOLVED_BY_STAFF',
          message,
          settledAt: new Date(),
          nextSettlementAt: null,
          ...(open.holdsSecret ? { sealedBody: null } : {}),
        })
        .where(eq(operations.id, operationId))
        .returning()
      await appendAudit(tx, {
        by: { id, name, role },
        environment,
        act: 'operation.resolve',
        target: targetOf(open),
        outcome: isMade ? 'done' : 'refused',
        code: 'RESOLVED_BY_STAFF',
        reason: null,
        comment: message,
        operationId,
      })
      return settled ?? null
    })
    if (!row) throw new AppError('OPERATION_NOT_FOUND', 'This operation does not wait for a review.')
    publishOperation(row)
    return { kind: 'settled', operation: operationOf(row), record: null, fields: {} }
  })
}
