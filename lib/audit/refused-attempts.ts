import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { type Database, type Transaction, database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { networkOf } from '#lib/shared/peer-address.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { auditRepeats, type AuditEvent } from '#lib/tables/audit.ts'
import { appendAudit, auditedTarget } from './chain.ts'
import { currentOrigin, noOrigin } from './request-origin.ts'
import type { Actor, RequestOrigin, Target } from './types.ts'

const windowMs = minuteMs

/** Attempts without the permission, on different objects, that get entries of their own within a minute for one person. */
const mostDifferent = 30

/**
 * Writes a refused attempt to the audit trail. Identical ones (the same person, IP address, action, object and code) within a
 * minute of the first are counted, and become one more entry with their number. Without a person it is the same network, since one
 * IPv6 line has more addresses than the trail can take. Where a person tries many objects without the permission, the rest of
 * them is counted without their objects, so that going through ids does not flood the trail.
 */
export async function recordRefusedAttempt(
  db: Database,
  refused: Omit<AuditEvent, 'outcome'>,
  now = new Date(),
): Promise<void> {
  const windowStart = new Date(now.getTime() - windowMs)
  // A counted attempt has no more of a person than the trail: no e-mail address.
  const by = refused.by && { id: refused.by.id, name: refused.by.name, role: refused.by.role }
  const caller = refused.caller ?? (await currentOrigin())
  // What jsonb refuses must not leave the attempt out.
  const target = auditedTarget(refused.target)
  const event = storable({ ...refused, by, caller, target, outcome: 'refused' }) as AuditEvent
  if (await countRepeat(db, attemptKey(event), windowStart)) return
  if (!(await hasManyObjects(db, event, windowStart))) return openWindow(db, event, now, windowStart)
  const general: AuditEvent = { ...event, target: null, operationId: null }
  if (!(await countRepeat(db, attemptKey(general), windowStart))) await openWindow(db, general, now, windowStart)
}

function attemptKey({ by, environment, act, target, code, caller }: AuditEvent): string {
  const address = caller?.ipAddress ?? null
  const from = by ? address : networkOf(address)
  const fields = [by?.id, environment, act, target?.type, target?.id, code, from]
  return sha256Hex(JSON.stringify(fields))
}

/** Returns whether an identical attempt of the running minute is in the trail; then this one is counted. */
async function countRepeat(db: Database, key: string, windowStart: Date): Promise<boolean> {
  const counted = await db
    .update(auditRepeats)
    .set({ count: sql`${auditRepeats.count} + 1` })
    .where(and(eq(auditRepeats.key, key), gt(auditRepeats.startedAt, windowStart)))
    .returning({ key: auditRepeats.key })
  return counted.length > 0
}

async function hasManyObjects(db: Database, { by, code }: AuditEvent, windowStart: Date): Promise<boolean> {
  if (!by || code !== 'NOT_PERMITTED') return false
  const { event, startedAt } = auditRepeats
  const different = await db.$count(
    auditRepeats,
    and(gt(startedAt, windowStart), sql`${event} -> 'by' ->> 'id' = ${by.id}`, sql`${event} ->> 'code' = ${code}`),
  )
  return different >= mostDifferent
}

async function openWindow(db: Database, event: AuditEvent, now: Date, windowStart: Date): Promise<void> {
  const key = attemptKey(event)
  await inTransaction(db, async (tx) => {
    await closeWindows(tx, and(eq(auditRepeats.key, key), lte(auditRepeats.startedAt, windowStart)))
    const [row] = await tx
      .insert(auditRepeats)
      .values({ key, startedAt: now, count: 0, event })
      .onConflictDoUpdate({ target: auditRepeats.key, set: { count: sql`${auditRepeats.count} + 1` } })
      .returning({ count: auditRepeats.count })
    if (row?.count === 0) await appendAudit(tx, event)
  })
}

/** Writes the entries of the minutes that are over. */
export async function writeRepeatedAttempts(db: Database, now = new Date()): Promise<void> {
  const windowStart = new Date(now.getTime() - windowMs)
  await inTransaction(db, (tx) => closeWindows(tx, lte(auditRepeats.startedAt, windowStart)))
}

async function closeWindows(tx: Transaction, which: ReturnType<typeof and>): Promise<void> {
  const closed = await tx.delete(auditRepeats).where(which).returning()
  for (const { count, event } of closed.toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime())) {
    if (count === 0) continue
    const comment = count === 1 ? '1 more time within a minute' : `${count} more times within a minute`
    // Each of them was a request of its own.
    const caller = { ...(event.caller ?? noOrigin), requestId: null }
    await appendAudit(tx, { ...event, caller, comment, operationId: null, requestId: null })
  }
}

/** Runs a check. An error is written to the audit trail before it is thrown on. */
export async function auditRefusedAttempts<Value>(
  attempt: {
    environment: Environment | null
    by: Actor
    caller?: RequestOrigin
    kind: string
    id?: string | null
    target: Target | null
    reason?: string | null
    comment?: string | null
  },
  check: () => Promise<Value>,
): Promise<Value> {
  try {
    return await check()
  } catch (error) {
    if (isAppError(error)) {
      const { by, environment, kind, target, reason = null, comment = null, id = null, caller } = attempt
      const code = error.code
      const refused = { by, environment, act: kind, target, code, reason, comment, operationId: id, caller }
      await recordRefusedAttempt(database(), refused)
    }
    throw error
  }
}
