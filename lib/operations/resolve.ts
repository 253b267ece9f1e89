import 'server-only'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { appendAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import { requirePermission } from '#lib/auth/session.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { isFree } from '#lib/db/queue.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import { publish } from '#lib/live/publish.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { outsideRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { operations } from '#lib/tables/operations.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { pauseForReplaced } from './bulk/stop.ts'
import { findOperation, type OperationRow } from './journal.ts'
import { isForPerson, toOperation, readOperationWithSteps } from './outcome.ts'
import { publishOperation, settleOperation } from './perform.ts'
import { OperationInput } from './spec.ts'
import type { ActionResult } from './types.ts'

const Resolution = OperationInput.extend({
  /** Whether the record was made, as a person found it at the service. */
  resolution: z.enum(['made', 'not-made'], 'must be made or not-made'),
})

/**
 * Settles an operation whose outcome the console does not know with the result that a person found. Refused with `OPERATION_NOT_FOUND` for any other operation.
 */
export const resolveOperation = action('resolveOperation', {
  input: Resolution,
  run: async ({ environment, operationId, resolution }, { staff: by }): Promise<ActionResult> => {
    const found = await findOperation(database(), operationId)
    const definition = findOperationDefinition(found?.kind ?? '')
    if (!found || !definition) throw noReview()
    const attempt = { environment, kind: 'operation.resolve', by, target: toTarget(found), id: operationId }
    await auditRefusedAttempts(attempt, () => requirePermission(definition.needs, environment))
    if (found.environment !== environment || !isForPerson(found)) throw noReview()
    // A list may show a new record late: look it up once more before a person's word that there is none counts.
    if (resolution === 'not-made') {
      const { row } = await outsideRequestContext(() => settleOperation(operationId, 'look'))
      if (row.settledAt && row.state === 'done') {
        return { kind: 'settled', operation: toOperation(row), record: null, fields: {} }
      }
    }
    const row = await inTransaction(database(), async (tx) => {
      const [found] = await tx
        .select({ open: operations, hasEnded: isFree(operations) })
        .from(operations)
        .where(eq(operations.id, operationId))
        .for('update')
      if (!found || !isForPerson(found.open)) return null
      const { open, hasEnded } = found
      // Another process is looking it up, and may be about to find it.
      if (resolution === 'not-made' && !hasEnded)
        throw new AppError('ALREADY_UNDER_WAY', 'It is being checked right now.')
      const isMade = resolution === 'made'
      const message = `${isMade ? 'Found at the card service' : 'Not found at the card service'} by ${by.name}.`
      return settleAs(tx, open, by, { state: isMade ? 'done' : 'refused', code: 'RESOLVED_BY_STAFF', message })
    })
    if (!row) throw noReview()
    publishOperation(row)
    return { kind: 'settled', operation: await readOperationWithSteps(row), record: null, fields: {} }
  },
})

function noReview(): AppError {
  return new AppError('OPERATION_NOT_FOUND', 'This operation does not wait for a review.')
}

/**
 * Settles what is open in a sandbox whose contents a person replaced, and pauses its bulk jobs: the records that they were about
 * are gone, and those that have their ids now are others. What is being sent at this moment settles itself; the steps behind it are not sent.
 */
export async function settleReplaced(environment: Environment, by: Staff): Promise<void> {
  const { settled, paused } = await inTransaction(database(), async (tx) => {
    const paused = await pauseForReplaced(tx, environment, by.name)
    const isOpen = and(eq(operations.environment, environment), isNull(operations.settledAt), isFree(operations))
    const open = await tx
      .select()
      .from(operations)
      .where(and(isOpen, inArray(operations.state, ['sending', 'unknown', 'queued', 'approved'])))
      .for('update', { skipLocked: true })
    const replaced = `The sandbox’s contents were replaced by ${by.name}`
    const rows = []
    for (const row of open) {
      const isUnsent = row.state === 'queued' || row.state === 'approved'
      const message = `${replaced}${isUnsent ? ' before this was sent' : ', and what this did went with them'}.`
      rows.push(await settleAs(tx, row, by, { state: 'refused', code: 'CONTENTS_REPLACED', message }))
    }
    return { settled: rows, paused }
  })
  for (const row of settled) if (row) publishOperation(row)
  publish(
    environment,
    paused.map(({ id }) => ({ type: 'bulk-job', id })),
  )
}

async function settleAs(
  tx: Transaction,
  open: OperationRow,
  by: Staff,
  result: { state: 'done' | 'refused'; code: string; message: string },
): Promise<OperationRow | null> {
  const [settled] = await tx
    .update(operations)
    .set({
      ...result,
      settledAt: new Date(),
      nextSettlementAt: null,
      ...(open.holdsSecret ? { sealedBody: null } : {}),
    })
    .where(eq(operations.id, open.id))
    .returning()
  await appendAudit(tx, {
    by,
    environment: open.environment,
    act: 'operation.resolve',
    target: toTarget(open),
    outcome: result.state,
    code: result.code,
    reason: null,
    comment: result.message,
    operationId: open.id,
  })
  return settled ?? null
}
