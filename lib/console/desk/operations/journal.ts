import 'server-only'
import { and, eq, isNotNull, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { database, type Database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { digestsOf, grantOf, sealGrant, sealTerms } from '../approvals/grant.ts'
import type { ApprovalNeed } from '../approvals/policy.ts'
import { insertApproval, reasonsForApproval } from '../approvals/request.ts'
import { appendAudit } from '../audit/chain.ts'
import type { PreparedRequest } from '../connections/environments.ts'
import { keepLease, leaseEnd } from '../lease.ts'
import { currentOrigin, noOrigin, type RequestOrigin } from '../request-origin.ts'
import { keyedDigest, openStored, sealStored } from '../sealing.ts'
import { consoleSettings } from '../settings.ts'
import type { Actor, Target } from '../shapes.ts'
import { operations } from '../tables/operations.ts'
import { actorOf, staffValues, targetOf, targetValues } from '../tables/schema.ts'
import type { OperationKind } from './kinds.ts'

export type OperationRow = typeof operations.$inferSelect

/** An operation before anything is sent. */
export type JournalEntry = {
  id: string
  environment: Environment
  kind: OperationKind
  by: Actor
  target: Target
  reason: string | null
  comment: string | null
  /** From where it was started; the request under way where it is left out. */
  caller?: RequestOrigin
  request: PreparedRequest
  /** A PIN or digits of a card number: erased at settlement, and never stored as a plain digest. */
  holdsSecret?: boolean
  statusBefore?: string | null
  /** See the column of the journal. */
  expected?: Record<string, string> | null
  /** The policy's requirements; `terms` are those of a request that may be renewed before it is sent. */
  approval?: (ApprovalNeed & { terms: object | null }) | null
  /** The sealed grant of an earlier approval, as part of a bulk job. */
  sealedGrant?: Buffer | null
}

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
}

function contentDigestOf(
  key: Buffer,
  { environment, kind, by, target, reason, comment, request }: JournalEntry,
): string {
  const { type, id, parentId } = target
  return keyedDigest(key, [environment, kind, by.id, type, id, parentId, reason, comment, request.bytes])
}

/** Writes the row, or finds the one that was written under this id. `isNew` callers hold its lease. */
export async function journal(
  db: Database,
  entry: JournalEntry,
  leaseHolder: string,
  serviceCreatedAt: Date | null,
): Promise<{ row: OperationRow; isNew: boolean; isSame: boolean }> {
  const { sealingKey, previousSealingKey } = consoleSettings()
  const contentDigest = contentDigestOf(sealingKey, entry)
  const digestBefore = previousSealingKey && contentDigestOf(previousSealingKey, entry)
  const values = {
    id: entry.id,
    environment: entry.environment,
    kind: entry.kind,
    ...staffValues(entry.by),
    ...targetValues(entry.target),
    reason: entry.reason,
    comment: entry.comment,
    caller: entry.caller ?? (await currentOrigin()),
    endpoint: entry.request.name,
    sealedBody: sealStored(entry.request.bytes, entry.id),
    bodySha256: entry.holdsSecret ? null : entry.request.bodySha256,
    contentDigest,
    holdsSecret: entry.holdsSecret ?? false,
    needsApproval: Boolean(entry.sealedGrant),
    sealedGrant: entry.sealedGrant ?? null,
    state: 'sending' as const,
    statusBefore: entry.statusBefore ?? null,
    expected: entry.expected ?? null,
    createdAt: new Date(),
    serviceCreatedAt,
    leaseUntil: leaseEnd,
    leaseHolder,
    nextSettlementAt: leaseEnd,
  }
  const { approval } = entry
  const made = approval
    ? await inTransaction(db, (tx) => insertWithApproval(tx, values, entry, approval))
    : await insertOnce(db, values)
  if (made) return { row: made, isNew: true, isSame: true }
  const row = await findOperation(db, entry.id)
  if (!row) throw new Error('an operation vanished from the journal')
  return { row, isNew: false, isSame: row.contentDigest === contentDigest || row.contentDigest === digestBefore }
}

type NewRow = Omit<typeof operations.$inferInsert, 'leaseUntil' | 'nextSettlementAt'> & {
  leaseUntil: SQL
  nextSettlementAt: SQL | null
}

async function insertOnce(db: Database | Transaction, values: NewRow) {
  const [made] = await db.insert(operations).values(values).onConflictDoNothing().returning()
  return made
}

/** Writes the row, in state `waiting` where a rule of the policy requires an approval. */
async function insertWithApproval(
  tx: Transaction,
  values: NewRow,
  entry: JournalEntry,
  { terms: made, ...need }: ApprovalNeed & { terms: object | null },
): Promise<OperationRow | undefined> {
  const because = await reasonsForApproval(tx, need, entry.environment, entry.by.id)
  if (because.length === 0) return insertOnce(tx, values)
  const waits = {
    state: 'waiting',
    needsApproval: true,
    leaseUntil: sql`clock_timestamp()`,
    nextSettlementAt: null,
  } as const
  const row = await insertOnce(tx, { ...values, ...waits })
  if (!row) return undefined
  const terms = made && sealTerms(entry.id, made)
  const { fingerprint } = digestsOf(entry.id, entry.request, terms?.bytes ?? null, row.holdsSecret)
  const { name: endpoint, method, path } = entry.request
  // The bytes of a secret are stored for a day at most.
  const expiresInMs = row.holdsSecret ? Math.min(need.expiresInMs, dayMs) : need.expiresInMs
  const request = { endpoint, method, path }
  const approval = { ...entry, subject: 'operation' as const, because, fingerprint, sealedTerms: terms?.sealed ?? null }
  await insertApproval(tx, { ...approval, request }, { ...need, expiresInMs })
  return row
}

export async function findOperation(db: Database, id: string): Promise<OperationRow | null> {
  const [row] = await db.select().from(operations).where(eq(operations.id, id))
  return row ?? null
}

/** The exact bytes of the body, or null once they were erased. */
export function bodyOf(row: OperationRow): Buffer | null {
  return row.sealedBody && openStored(row.sealedBody, row.id)
}

/**
 * Takes an open operation over whose process has not renewed its lease. Null: another process has it or had it meanwhile, or
 * it is settled. `changes` are written with the lease.
 */
export async function takeOver(
  db: Database,
  { id, state }: Pick<OperationRow, 'id' | 'state'>,
  leaseHolder: string,
  changes: { serviceCreatedAt?: Date | null } = {},
): Promise<OperationRow | null> {
  const isFree = sql`${operations.leaseUntil} <= clock_timestamp()`
  const [row] = await db
    .update(operations)
    .set({ ...changes, leaseUntil: leaseEnd, leaseHolder, state: 'sending' })
    .where(and(eq(operations.id, id), eq(operations.state, state), isNull(operations.settledAt), isFree))
    .returning()
  return row ?? null
}

/** Stores the bytes of an approved request with a newer quote, before they are sent. Only the holder of its lease may. */
export async function writeRenewed(
  db: Database,
  row: OperationRow,
  leaseHolder: string,
  {
    quoteId,
    bytes,
    target,
    expected,
  }: { quoteId: string; bytes: Uint8Array; target: Target; expected: Record<string, string> },
): Promise<OperationRow> {
  const grant = grantOf(row)
  if (!grant) throw new Error('an approved request lost its grant')
  const [renewed] = await db
    .update(operations)
    .set({
      sealedBody: sealStored(bytes, row.id),
      bodySha256: row.holdsSecret ? null : sha256Hex(bytes),
      sealedGrant: sealGrant(row.id, { ...grant, quoteId }),
      targetId: target.id,
      expected,
    })
    .where(and(eq(operations.id, row.id), eq(operations.leaseHolder, leaseHolder), isNull(operations.settledAt)))
    .returning()
  if (!renewed) throw new Error('an approved request was taken over')
  return renewed
}

/** Renews the lease during work; the returned function stops it. */
export function renewLease(db: Database, id: string, leaseHolder: string): () => void {
  const isHeld = and(eq(operations.id, id), eq(operations.leaseHolder, leaseHolder), isNull(operations.settledAt))
  return keepLease(() => db.update(operations).set({ leaseUntil: leaseEnd }).where(isHeld))
}

/**
 * Writes a settlement: journal and audit in one transaction. A final outcome is not changed, also where another process
 * found it first. Returns the row as it is afterwards.
 */
export async function writeOutcome(
  db: Database,
  id: string,
  leaseHolder: string,
  { isLast, ...settlement }: Settlement,
): Promise<OperationRow> {
  const { state } = settlement
  const isOpen = (state === 'unknown' && !isLast) || state === 'not-sent'
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(operations).where(eq(operations.id, id)).for('update')
    if (!before) throw new Error('an operation vanished from the journal')
    if (before.settledAt || (isOpen && before.leaseHolder !== leaseHolder)) return before
    const attempts = before.attempts + 1
    const pause = sql`clock_timestamp() + make_interval(secs => ${pauseSeconds(attempts)})`
    const [after] = await tx
      .update(operations)
      .set({
        ...settlement,
        attempts,
        leaseUntil: sql`clock_timestamp()`,
        nextSettlementAt: isOpen && state === 'unknown' ? pause : null,
        settledAt: isOpen ? null : new Date(),
        ...(isOpen || !before.holdsSecret ? {} : { sealedBody: null }),
      })
      .where(eq(operations.id, id))
      .returning()
    const isRecorded = attempts > 1 && before.code === settlement.code && before.state === state
    if (!isRecorded) await appendAudit(tx, auditOf(before, settlement))
    return after ?? before
  })
}

/** Ids of the records that other operations of the environment made. */
export async function resultsOfOthers(environment: Environment, id: string): Promise<ReadonlySet<string>> {
  const rows = await database()
    .select({ resultId: operations.resultId })
    .from(operations)
    .where(and(eq(operations.environment, environment), isNotNull(operations.resultId), ne(operations.id, id)))
  return new Set(rows.flatMap(({ resultId }) => resultId ?? []))
}

/** Between attempts at settling: 2 s, 4 s, 8 s … up to ten minutes. */
function pauseSeconds(attempts: number): number {
  return Math.min(2 ** attempts, 600)
}

/** A record that the operation creates is identified by the operation's id until its own is known. */
export function idOfTarget({ id, targetId, resultId }: Pick<OperationRow, 'id' | 'targetId' | 'resultId'>): string {
  return targetId === id ? (resultId ?? targetId) : targetId
}

function auditOf(row: OperationRow, { state, code, requestId, resultId }: Omit<Settlement, 'isLast'>) {
  return {
    by: actorOf(row),
    environment: row.environment,
    act: row.kind,
    target: { ...targetOf(row), id: idOfTarget({ ...row, resultId }) },
    outcome: state === 'not-sent' ? ('refused' as const) : state,
    code,
    reason: row.reason,
    comment: row.comment,
    operationId: row.id,
    requestId,
    caller: row.caller ?? noOrigin,
  }
}
