import 'server-only'
import { and, eq, isNotNull, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { OperationKind } from '#lib/api/actions.ts'
import type { TicketOrigin } from '#lib/api/help-desk-requests.ts'
import { currentOrigin } from '#lib/audit/request-origin.ts'
import type { Actor, RequestOrigin, Target } from '#lib/audit/types.ts'
import { database, type Database, type Transaction } from '#lib/db/connection.ts'
import { inSeconds, isFree, leaseEnd, makeLease } from '#lib/db/queue.ts'
import { keyedDigest, openStored, sealStored } from '#lib/db/sealing.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { PreparedRequest } from '#lib/environments/environments.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { dayMs } from '#lib/shared/time.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { operations } from '#lib/tables/operations.ts'
import { staffValues, targetValues } from '#lib/tables/schema.ts'
import { grantDigests, openGrant, sealGrant, sealTerms } from './approvals/grant.ts'
import type { ApprovalNeed } from './approvals/policy.ts'
import { insertApproval, findReasonsForApproval } from './approvals/request.ts'

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
  /** The request that started it; left out: the request under way. */
  caller?: RequestOrigin
  request: PreparedRequest
  /** A PIN or digits of a card number: erased at settlement, and never stored as a plain digest. */
  holdsSecret?: boolean
  statusBefore?: string | null
  /** See the column of the journal. */
  expected?: Record<string, string> | null
  /** Set where a help desk's agent asked: `by` is that person, under the id of the help desk's key. */
  ticketOrigin?: TicketOrigin
  /** See `OperationRequest`. */
  checkAlone?: (tx: Transaction) => Promise<void>
  /** The policy's requirements; `terms` are those of a request that may be renewed before it is sent. */
  approval?: (ApprovalNeed & { terms: object | null }) | null
  /** The sealed grant of an earlier approval, as part of a bulk job. */
  sealedGrant?: Buffer | null
  /** The steps before it, in their order: written with it, so that a crash loses none of them. */
  earlier?: readonly Omit<JournalEntry, 'earlier'>[]
}

function computeContentDigest(
  key: Buffer,
  { environment, kind, by, target, reason, comment, request }: JournalEntry,
): string {
  const { type, id, parentId } = target
  return keyedDigest(key, [environment, kind, by.id, type, id, parentId, reason, comment, request.bytes])
}

/**
 * Writes the row with those of its earlier steps, or finds the one that was written under this id. `isNew` callers hold its
 * lease, unless it has earlier steps. Throws `ALREADY_UNDER_WAY` where another operation does what this one would.
 */
export async function writeJournal(
  db: Database,
  entry: JournalEntry,
  leaseHolder: string,
  serviceCreatedAt: Date | null,
): Promise<{ row: OperationRow; isNew: boolean; isSame: boolean }> {
  const { sealingKey, previousSealingKey } = consoleSettings()
  const contentDigest = computeContentDigest(sealingKey, entry)
  const digestBefore = previousSealingKey && computeContentDigest(previousSealingKey, entry)
  const { approval, checkAlone, earlier = [] } = entry
  const follows = earlier.at(-1)?.id ?? null
  const values = {
    ...(await makeNewValues(entry, leaseHolder)),
    contentDigest,
    serviceCreatedAt,
    ...(follows === null ? {} : { ...queued, follows }),
  }
  const made =
    approval || checkAlone || follows !== null
      ? await inTransaction(db, async (tx) => {
          await checkAlone?.(tx)
          const row = await insertEntry(tx, values, entry)
          if (row) await insertEarlier(tx, earlier, leaseHolder, sealingKey)
          return row
        })
      : await insertOnce(db, values)
  if (made) return { row: made, isNew: true, isSame: true }
  const row = await findOperation(db, entry.id)
  if (!row) throw new AppError('ALREADY_UNDER_WAY', 'Somebody has started the same before you.')
  return { row, isNew: false, isSame: row.contentDigest === contentDigest || row.contentDigest === digestBefore }
}

async function makeNewValues(entry: JournalEntry, leaseHolder: string) {
  return {
    id: entry.id,
    environment: entry.environment,
    kind: entry.kind,
    ...staffValues(entry.by),
    ticketOrigin: entry.ticketOrigin ?? null,
    ...targetValues(entry.target),
    reason: entry.reason,
    comment: entry.comment,
    caller: entry.caller ?? (await currentOrigin()),
    endpoint: entry.request.name,
    sealedBody: sealStored(entry.request.bytes, entry.id),
    bodySha256: entry.holdsSecret ? null : entry.request.bodySha256,
    holdsSecret: entry.holdsSecret ?? false,
    needsApproval: Boolean(entry.sealedGrant),
    sealedGrant: entry.sealedGrant ?? null,
    state: 'sending' as const,
    statusBefore: storable(entry.statusBefore) as string | null,
    expected: storable(entry.expected) as Record<string, string> | null,
    createdAt: new Date(),
    leaseUntil: leaseEnd,
    leaseHolder,
    nextSettlementAt: leaseEnd,
  }
}

/** A row that nobody has begun. */
const queued = {
  state: 'queued' as const,
  leaseUntil: sql`clock_timestamp()`,
  nextSettlementAt: sql`clock_timestamp()`,
}

async function insertEarlier(
  tx: Transaction,
  steps: readonly JournalEntry[],
  leaseHolder: string,
  sealingKey: Buffer,
): Promise<void> {
  let follows: string | null = null
  for (const step of steps) {
    const own = { contentDigest: computeContentDigest(sealingKey, step), serviceCreatedAt: null }
    const values = { ...(await makeNewValues(step, leaseHolder)), ...own, ...queued, follows }
    const row = await insertEntry(tx, values, step)
    if (!row) throw new AppError('ALREADY_UNDER_WAY', 'Somebody has started the same before you.')
    follows = step.id
  }
}

/** Lets the next round of a queued operation wait. */
export async function postponeQueued(db: Database, id: string): Promise<void> {
  await db
    .update(operations)
    .set({ nextSettlementAt: inSeconds(5) })
    .where(and(eq(operations.id, id), eq(operations.state, 'queued')))
}

/** The steps before an operation, the first one first. */
export async function listStepsBefore(
  db: Database,
  { follows }: Pick<OperationRow, 'follows'>,
): Promise<OperationRow[]> {
  const before = follows === null ? null : await findOperation(db, follows)
  return before ? [...(await listStepsBefore(db, before)), before] : []
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
async function insertEntry(tx: Transaction, values: NewRow, entry: JournalEntry): Promise<OperationRow | undefined> {
  if (!entry.approval) return insertOnce(tx, values)
  const { terms: made, ...need } = entry.approval
  const because = await findReasonsForApproval(tx, need, entry.environment, entry.by.id)
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
  const { fingerprint } = grantDigests(entry.id, entry.request, terms?.bytes ?? null, row.holdsSecret)
  const { name: endpoint, method, path } = entry.request
  // The bytes of a secret are stored for a day at most.
  const expiresInMs = row.holdsSecret ? Math.min(need.expiresInMs, dayMs) : need.expiresInMs
  const request = { endpoint, method, path }
  const approval = { ...entry, subject: 'operation' as const, because, fingerprint, sealedTerms: terms?.sealed ?? null }
  await insertApproval(tx, { ...approval, request }, { ...need, expiresInMs })
  return row
}

export async function findOperation(db: Database | Transaction, id: string): Promise<OperationRow | null> {
  const [row] = await db.select().from(operations).where(eq(operations.id, id))
  return row ?? null
}

/** The exact bytes of the body, or null once they were erased. */
export function openBody(row: OperationRow): Buffer | null {
  return row.sealedBody && openStored(row.sealedBody, row.id)
}

/**
 * Takes an open operation over whose process has not renewed its lease. Null: another process has it or had it meanwhile, or
 * it is settled. `changes` are written with the lease. What was certainly not sent before is due once the lease ends, as at the start.
 */
export async function takeOver(
  db: Database,
  { id, state }: Pick<OperationRow, 'id' | 'state'>,
  leaseHolder: string,
  changes: { serviceCreatedAt?: Date | null },
): Promise<OperationRow | null> {
  const [row] = await db
    .update(operations)
    .set({
      ...changes,
      leaseUntil: leaseEnd,
      leaseHolder,
      state: 'sending',
      nextSettlementAt: sql`coalesce(${operations.nextSettlementAt}, ${leaseEnd})`,
    })
    .where(and(eq(operations.id, id), eq(operations.state, state), isNull(operations.settledAt), isFree(operations)))
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
  const grant = openGrant(row)
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
  return makeLease(db, operations, and(eq(operations.id, id), isNull(operations.settledAt)), leaseHolder).keep()
}

/** Tells which records cannot be the operation's: another one made them, or they were there before it (`expected.idsBefore`). */
export async function readOtherRecords({
  environment,
  id,
  expected,
}: Pick<OperationRow, 'environment' | 'id' | 'expected'>): Promise<(recordId: string) => boolean> {
  const rows = await database()
    .select({ resultId: operations.resultId })
    .from(operations)
    .where(and(eq(operations.environment, environment), isNotNull(operations.resultId), ne(operations.id, id)))
  const before = (expected?.idsBefore ?? '').split(' ')
  const others = new Set([...rows.map(({ resultId }) => resultId ?? ''), ...before].map((one) => one.toLowerCase()))
  return (recordId) => others.has(recordId.toLowerCase())
}
