import 'server-only'
import { and, eq, isNotNull, isNull, lt, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { database, type Database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { withoutCaller } from '#lib/shared/caller.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs, hourMs } from '#lib/shared/time.ts'
import { AppError } from '../app-error.ts'
import { appendAudit } from '../audit/chain.ts'
import { logFailure } from '../log.ts'
import { fieldErrors } from '../parse.ts'
import { requirePermission } from '../session/session.ts'
import type { ActionResult, Operation } from '../shapes.ts'
import { operations } from '../tables/operations.ts'
import { targetOf } from '../tables/schema.ts'
import { requireActor, unlessRefused } from './act.ts'
import { findOperation } from './journal.ts'
import { rowOfKind } from './kinds.ts'
import { operationOf } from './outcome.ts'
import { publishOperation, settleOperation } from './perform.ts'
import { ActionInput } from './spec.ts'

const atOnce = 20

/**
 * Settles operations that a crash or a lost response left open, the longest waiting first. Several processes may do this
 * at once.
 */
export async function settleUnknownOperations(): Promise<void> {
  const db = database()
  await closeUnsent(db, new Date(Date.now() - hourMs))
  await eraseOldSecrets(db)
  for (const id of await dueOperations(db, atOnce)) {
    try {
      await settleOperation(id)
    } catch (error) {
      logFailure(error, { while: 'settling an operation', operation: id })
    }
  }
}

/** Open operations whose next attempt is due, the longest waiting first. */
async function dueOperations(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(
        isNull(operations.settledAt),
        sql`${operations.nextSettlementAt} <= clock_timestamp()`,
        sql`${operations.leaseUntil} <= clock_timestamp()`,
      ),
    )
    .orderBy(operations.nextSettlementAt)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** An operation that was never sent and never tried again is closed, and its bytes are erased. */
async function closeUnsent(db: Database, before: Date): Promise<void> {
  await db
    .update(operations)
    .set({ settledAt: new Date(), sealedBody: null })
    .where(
      and(
        eq(operations.state, 'not-sent'),
        isNull(operations.settledAt),
        lt(sql`coalesce(${operations.approvedAt}, ${operations.createdAt})`, before),
      ),
    )
}

/**
 * Erases the secrets of operations that are open for a day: by then the service no longer recognises their keys, so
 * their bytes are never sent again. Reading the record settles such an operation.
 */
async function eraseOldSecrets(db: Database): Promise<void> {
  await db
    .update(operations)
    .set({ sealedBody: null })
    .where(
      and(
        eq(operations.holdsSecret, true),
        notInArray(operations.state, ['waiting']),
        isNotNull(operations.sealedBody),
        isNull(operations.settledAt),
        lt(operations.createdAt, new Date(Date.now() - dayMs)),
      ),
    )
}

const Resolution = ActionInput.extend({
  /** Whether the record was made, as a person found it at the service. */
  resolution: z.enum(['made', 'not-made'], 'must be made or not-made'),
})

/**
 * Settles an operation that the console cannot settle (`NEEDS_REVIEW`) with the result that a person found. Refused
 * with `OPERATION_NOT_FOUND` for any other operation.
 */
export function resolveOperation(input: z.input<typeof Resolution>): Promise<ActionResult> {
  return unlessRefused(async () => {
    const named = Resolution.shape.operationId.safeParse(input.operationId)
    const found = named.success ? await findOperation(database(), named.data) : null
    const kind = rowOfKind(found?.kind ?? '')
    // Resolving an operation needs the permission to start it. Without one, `OPERATION_NOT_FOUND` follows.
    const permission = kind?.permission ?? 'accounts.read'
    const about = () => (found ? targetOf(found) : null)
    const by = await requireActor({ kind: 'operation.resolve', permission, about }, input)
    const parsed = Resolution.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const { environment, operationId, resolution } = parsed.data
    // A list may show a new record late: it is looked up once more before anybody's word that there is none.
    if (kind && found?.environment === environment && found.code === 'NEEDS_REVIEW' && resolution === 'not-made') {
      const { row } = await withoutCaller(() => settleOperation(operationId))
      if (row.settledAt && row.state === 'done') {
        return { kind: 'settled', operation: operationOf(row), record: null, fields: {} }
      }
    }
    const row =
      kind &&
      (await inTransaction(database(), async (tx) => {
        const [open] = await tx.select().from(operations).where(eq(operations.id, operationId)).for('update')
        if (open?.environment !== environment || open.settledAt || open.code !== 'NEEDS_REVIEW') return null
        const isMade = resolution === 'made'
        const message = `${isMade ? 'Found at the service' : 'Not found at the service'} by ${by.name}.`
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
          by,
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
      }))
    if (!row) throw new AppError('OPERATION_NOT_FOUND', 'This operation does not wait for a review.')
    publishOperation(row)
    return { kind: 'settled', operation: operationOf(row), record: null, fields: {} }
  })
}

/** One operation; reading it settles an outcome that is still open, where that is possible. */
export async function readOperation(environment: Environment, id: string): Promise<Operation> {
  await requirePermission('accounts.read', environment)
  const found = isUuid(id) ? await findOperation(database(), id.toLowerCase()) : null
  if (!found || found.environment !== environment) {
    throw new AppError('OPERATION_NOT_FOUND', 'There is no such operation in this environment.')
  }
  const isOpen = found.state === 'sending' || found.state === 'unknown'
  return operationOf(isOpen && !found.settledAt ? (await withoutCaller(() => settleOperation(found.id))).row : found)
}
