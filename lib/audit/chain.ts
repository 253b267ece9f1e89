import { hash } from 'node:crypto'
import { asc, desc, gt } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { storable } from '#lib/shared/texts.ts'
import { auditEntries, type AuditEvent, type AuditRow } from '#lib/tables/audit.ts'
import { currentOrigin } from './request-origin.ts'
import type { Target } from './types.ts'
import { rememberWritten } from './written.ts'

export const genesis = '0'.repeat(64)

/** Appends to the chain, in the caller's transaction: what is audited and its entry commit together or not at all. */
export async function appendAudit(tx: Transaction, event: AuditEvent): Promise<void> {
  const { ipAddress, requestId } = event.caller ?? (await currentOrigin())
  const origin = { ipAddress: ipAddress ?? undefined, consoleRequestId: requestId ?? undefined }
  const details = JSON.stringify({ ...origin, ...event.details })
  const target = auditedTarget(event.target)
  await lockByName(tx, 'audit chain')
  const last = await readLastEntry(tx)
  const row = storedRow({
    number: (last?.number ?? 0) + 1,
    at: new Date(),
    staffId: event.by?.id ?? null,
    staffName: event.by?.name ?? null,
    staffRole: event.by?.role ?? null,
    environment: event.environment,
    act: event.act,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetParentId: target?.parentId ?? null,
    targetLabel: target?.label ?? null,
    outcome: event.outcome,
    code: event.code ?? null,
    reason: event.reason ?? null,
    comment: event.comment ?? null,
    operationId: event.operationId ?? null,
    requestId: event.requestId ?? null,
    details: details === '{}' ? null : details,
    previousHash: last?.hash ?? genesis,
  })
  const hash = hashRow(row)
  await tx.insert(auditEntries).values({ ...row, hash })
  rememberWritten(tx, row.number, hash)
}

/** Text entered in place of an id of the service may be a card number, and of any length. */
export function auditedTarget(target: Target | null): Target | null {
  const auditedId = (id: string) => withoutCardNumbers(id).slice(0, 200)
  return target && { ...target, id: auditedId(target.id), parentId: target.parentId && auditedId(target.parentId) }
}

/** The row as it will be read back: the hash of what PostgreSQL cannot store would show a change that nobody made. */
function storedRow(row: Omit<AuditRow, 'hash'>): Omit<AuditRow, 'hash'> {
  return storable(row) as Omit<AuditRow, 'hash'>
}

/** Appends an entry in a transaction of its own. */
export async function recordAudit(db: Database, event: AuditEvent): Promise<void> {
  await inTransaction(db, (tx) => appendAudit(tx, event))
}

/** A position in the chain: how many entries there are up to it, and the hash of the last of them. */
export type ChainPosition = { entries: number; head: string }
export const chainStart: ChainPosition = { entries: 0, head: genesis }

/** The first entry at which the chain does not hold, or the position up to which it does. */
export type ChainVerdict =
  | ({ holds: true } & ChainPosition)
  | { holds: false; number: number; problem: 'missing' | 'altered' | 'not linked' | 'not signed' }

const entriesPerPage = 2000

/**
 * Follows the chain from a position that is known to hold, to its end or for about `most` entries. `isSigned` may refuse an
 * entry that a signed checkpoint contradicts. Entries that were cut off at the end leave a chain that holds.
 */
export async function verifyAuditChain(
  db: Queryable,
  options: { from?: ChainPosition; most?: number; isSigned?: (number: number, hash: string) => boolean } = {},
): Promise<ChainVerdict> {
  const { from = chainStart, most = Number.POSITIVE_INFINITY, isSigned = () => true } = options
  let { entries, head } = from
  while (entries - from.entries < most) {
    const page = await db
      .select()
      .from(auditEntries)
      .where(gt(auditEntries.number, entries))
      .orderBy(asc(auditEntries.number))
      .limit(entriesPerPage)
    for (const row of page) {
      if (row.number !== entries + 1) return { holds: false, number: entries + 1, problem: 'missing' }
      if (row.previousHash !== head) return { holds: false, number: row.number, problem: 'not linked' }
      if (row.hash !== hashRow(row)) return { holds: false, number: row.number, problem: 'altered' }
      if (!isSigned(row.number, row.hash)) return { holds: false, number: row.number, problem: 'not signed' }
      entries = row.number
      head = row.hash
    }
    if (page.length < entriesPerPage) break
  }
  return { holds: true, entries, head }
}

async function readLastEntry(db: Queryable): Promise<AuditRow | undefined> {
  const [last] = await db.select().from(auditEntries).orderBy(desc(auditEntries.number)).limit(1)
  return last
}

/** SHA-256 over every field in a fixed order, each as JSON, so that no two rows read alike. */
export function hashRow(row: Omit<AuditRow, 'hash'>): string {
  return hash('sha256', JSON.stringify(Object.values(hashedFields(row))), 'hex')
}

/** An entry as JSON. `hash` is the SHA-256 of the values before it, as a JSON array: docs/audit.md has a program that verifies it. */
export function entryLine(row: AuditRow): string {
  return JSON.stringify({ ...hashedFields(row), hash: row.hash })
}

/** The fields that the hash covers, in its order. */
function hashedFields(row: Omit<AuditRow, 'hash'>) {
  return {
    previousHash: row.previousHash,
    number: row.number,
    at: row.at.toISOString(),
    staffId: row.staffId,
    staffName: row.staffName,
    staffRole: row.staffRole,
    environment: row.environment,
    act: row.act,
    targetType: row.targetType,
    targetId: row.targetId,
    targetParentId: row.targetParentId,
    targetLabel: row.targetLabel,
    outcome: row.outcome,
    code: row.code,
    reason: row.reason,
    comment: row.comment,
    operationId: row.operationId,
    requestId: row.requestId,
    // Entries without details keep the hash that they had before the column.
    ...(row.details === null ? {} : { details: row.details }),
  }
}
