import 'server-only'
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#lib/db/connection.ts'
import { preparedFrom } from '#lib/environments/environments.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { logFailure } from '#lib/shared/log.ts'
import { operations } from '#lib/tables/operations.ts'
import { bulkJobSubject } from '../bulk/approval.ts'
import { openBody, type OperationRow } from '../journal.ts'
import { settleOperation } from '../perform.ts'
import { type Digests, grantDigests, openTerms, sealGrant } from './grant.ts'
import type { ApprovalRow, Subject } from './request.ts'

const operation: Subject = {
  async release(tx, row, fingerprint, by) {
    const waiting = await lockWaiting(tx, row.id)
    const digests = waiting && operationDigests(waiting, row)
    if (!waiting || !digests || digests.fingerprint !== fingerprint || digests.fingerprint !== row.fingerprint) {
      throw new AppError('APPROVAL_MISMATCH', 'The stored request is not the one that you saw. Nothing was approved.')
    }
    const at = new Date()
    const { sha256, termsSha256 } = digests
    await tx
      .update(operations)
      .set({
        state: 'approved',
        approvedAt: at,
        sealedGrant: sealGrant(row.id, { sha256, termsSha256, quoteId: null, by: by.id, at: at.toISOString() }),
        nextSettlementAt: sql`clock_timestamp()`,
      })
      .where(eq(operations.id, row.id))
  },
  async close(tx, row, state, message) {
    const waiting = await lockWaiting(tx, row.id)
    if (!waiting) return
    await tx
      .update(operations)
      .set({
        state,
        code: `APPROVAL_${state.toUpperCase()}`,
        message,
        settledAt: new Date(),
        ...(waiting.holdsSecret ? { sealedBody: null } : {}),
      })
      .where(eq(operations.id, row.id))
  },
  async resume({ id }) {
    await settleOperation(id).catch((error: unknown) =>
      logFailure(error, { while: 'sending what was approved', operation: id }),
    )
  },
}

async function lockWaiting(tx: Transaction, id: string): Promise<OperationRow | null> {
  const [row] = await tx.select().from(operations).where(eq(operations.id, id)).for('update')
  return row?.state === 'waiting' ? row : null
}

/** The digests of an operation's request as it is stored; null where it cannot be read, or its bytes were altered. */
function operationDigests(stored: OperationRow, { sealedTerms, fingerprint }: ApprovalRow): Digests | null {
  const terms = sealedTerms && openTerms(stored.id, sealedTerms)
  if (sealedTerms && !terms) return null
  try {
    const bytes = openBody(stored)
    if (!bytes) return null
    const request = preparedFrom(stored.environment, stored.endpoint, bytes)
    const digests = (key: Buffer) => grantDigests(stored.id, request, terms, stored.holdsSecret, key)
    const { sealingKey, previousSealingKey } = consoleSettings()
    const now = digests(sealingKey)
    // It was requested before the key was replaced.
    return now.fingerprint !== fingerprint && previousSealingKey ? digests(previousSealingKey) : now
  } catch (error) {
    logFailure(error, { while: 'opening a request that waits for an approval', operation: stored.id })
    return null
  }
}

export const subjects: Record<ApprovalRow['subject'], Subject> = { operation, 'bulk-job': bulkJobSubject }
