import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import { noOrigin } from '#lib/audit/request-origin.ts'
import type { Database } from '#lib/db/connection.ts'
import { inSeconds } from '#lib/db/queue.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { storable } from '#lib/shared/texts.ts'
import { type OperationCheck, operations } from '#lib/tables/operations.ts'
import { toActor, toTarget } from '#lib/tables/schema.ts'
import type { OperationRow } from './journal.ts'

/** The result of sending and reading back. `isLast`: no later attempt can change it. */
export type Settlement = {
  state: 'done' | 'partial' | 'refused' | 'unknown' | 'not-sent'
  status: number | null
  code: string | null
  message: string | null
  requestId: string | null
  resultId: string | null
  statusAfter: string | null
  isLast: boolean
  /** The finding of this round for people: the response, and the state of the record. */
  findings?: readonly string[]
  /** From when the service accepts requests again, where it refused this one for their number. */
  retryAt?: Date | null
  /** The External ID in the response. */
  givenXid?: string | null
  /** The record was only read, between two rounds: the next one stays as it is due. */
  isLook?: boolean
}

/**
 * Writes a settlement: journal and audit in one transaction. A final outcome is not changed, also where another process
 * found it first. From a process that lost the lease only what the record shows counts: an error may be due to what the next
 * one sent. Returns the row as it is afterwards.
 */
export async function writeOutcome(
  db: Database,
  id: string,
  leaseHolder: string,
  found: Settlement,
): Promise<OperationRow> {
  // A text of the service that cannot be stored must not fail every round.
  const sound = storable(found) as Settlement
  const { isLast, isLook = false, findings = [], givenXid = null, ...settlement } = sound
  const { state } = settlement
  const isUnknown = state === 'unknown' && !isLast
  const isOpen = isUnknown || state === 'not-sent'
  const isBetweenRounds = isLook && isOpen
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(operations).where(eq(operations.id, id)).for('update')
    if (!before) throw new Error('an operation vanished from the journal')
    const isShown = state === 'done' || state === 'partial'
    if (before.settledAt || (!isShown && before.leaseHolder !== leaseHolder)) return before
    const attempts = before.attempts + (isBetweenRounds ? 0 : 1)
    const nextSettlementAt = isUnknown ? inSeconds(pauseSeconds(attempts)) : null
    const [after] = await tx
      .update(operations)
      .set({
        ...settlement,
        attempts,
        checks: withFindings(before.checks, findings),
        ...(givenXid === null ? {} : { expected: { ...before.expected, givenXid } }),
        leaseUntil: sql`clock_timestamp()`,
        ...(isBetweenRounds ? {} : { nextSettlementAt }),
        settledAt: isOpen ? null : new Date(),
        ...(isOpen || !before.holdsSecret ? {} : { sealedBody: null }),
      })
      .where(eq(operations.id, id))
      .returning()
    // A round that takes an open operation over sets its state to `sending`.
    const isRecorded = isUnknown && before.attempts > 0 && before.code === settlement.code
    if (!isRecorded) await appendAudit(tx, toAuditEvent(before, settlement))
    return after ?? before
  })
}

/** Ends a queued operation that does not get its turn, with its audit entry. Null where it has begun meanwhile. */
export async function endQueued(
  db: Database,
  id: string,
  ending: Pick<Settlement, 'state' | 'code' | 'message'>,
): Promise<OperationRow | null> {
  return inTransaction(db, async (tx) => {
    const [ended] = await tx
      .update(operations)
      .set({ ...ending, settledAt: new Date(), nextSettlementAt: null })
      .where(and(eq(operations.id, id), eq(operations.state, 'queued')))
      .returning()
    if (!ended) return null
    await appendAudit(tx, toAuditEvent(ended, { ...ending, requestId: null, resultId: null }))
    return ended
  })
}

/** Pause before the next round: 2 s, 4 s, 8 s … up to ten minutes; an hour once rounds have gone on for about a day. */
function pauseSeconds(attempts: number): number {
  return Math.min(2 ** attempts, attempts > 150 ? 3600 : 600)
}

const longestChecks = 40

/** One entry for what was found several times in a row. Of many, the first one and the latest are stored. */
function withFindings(checks: readonly OperationCheck[], findings: readonly string[]): OperationCheck[] {
  const now = new Date().toISOString()
  const all = [...checks]
  for (const finding of findings) {
    const last = all.at(-1)
    if (last?.finding === finding) all[all.length - 1] = { ...last, to: now, times: last.times + 1 }
    else all.push({ finding, from: now, to: now, times: 1 })
  }
  return all.length > longestChecks ? [...all.slice(0, 1), ...all.slice(1 - longestChecks)] : all
}

/** A record that the operation creates is identified by the operation's id until its own is known. */
export function idOfTarget({ id, targetId, resultId }: Pick<OperationRow, 'id' | 'targetId' | 'resultId'>): string {
  return targetId === id ? (resultId ?? targetId) : targetId
}

function toAuditEvent(
  row: OperationRow,
  { state, code, requestId, resultId }: Pick<Settlement, 'state' | 'code' | 'requestId' | 'resultId'>,
) {
  return {
    by: toActor(row),
    environment: row.environment,
    act: row.kind,
    target: { ...toTarget(row), id: idOfTarget({ ...row, resultId }) },
    outcome: state === 'not-sent' ? ('refused' as const) : state,
    code,
    reason: row.reason,
    comment: row.comment,
    operationId: row.id,
    requestId,
    caller: row.caller ?? noOrigin,
  }
}
