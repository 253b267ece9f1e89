import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { fromTerms, NotApprovedError } from '#lib/client/approved-request.ts'
import { database } from '#lib/db/connection.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { dayMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { traced } from '#lib/shared/tracing.ts'
import { AppError, isAppError } from '../app-error.ts'
import { approvedRequestOf, grantOf, readTerms } from '../approvals/grant.ts'
import { auditRefusedAttempts } from '../audit/refused-attempts.ts'
import { hasMovableClock, honoursKeys, readIdempotencyClock } from '../connections/control-plane.ts'
import {
  preparedFrom,
  type PreparedRequest,
  requireService,
  restMsOf,
  sendPrepared,
  serviceProfile,
} from '../connections/environments.ts'
import { publish, publishTogether } from '../live/publish.ts'
import { logFailure } from '../log.ts'
import {
  bodyOf,
  findOperation,
  journal,
  type JournalEntry,
  type OperationRow,
  renewLease,
  type Settlement,
  takeOver,
  writeOutcome,
  writeRenewed,
} from './journal.ts'
import { confirm, confirmWithPauses } from './read-back.ts'
import type { Confirmation, Fields } from './spec.ts'
import { specOf } from './table.ts'

/**
 * How old an idempotency key may be by the service's clock to be sent again. The service stores its response for a day; the
 * rest is for a request that is under way for long.
 */
const replayWindowMs = dayMs - 5 * minuteMs
/** A clock that is further behind the operation's own time was set back: the service has started again from its seed. */
const clockToleranceMs = minuteMs
const waitMs = 25 * secondMs
/**
 * An accepted operation whose record never shows the change is left to people after this many reads, in about half an
 * hour.
 */
const maximumReadings = 10

/** An operation with the record that was just read back; null where its outcome was known before. */
export type Performed = { row: OperationRow; readBack: Confirmation | null }

/**
 * Performs an operation: journal, request, verification, outcome, audit. It is the only way to change something at the
 * service. The caller has checked the permission. The same id with the same content returns the same outcome, however
 * often and from however many processes it is called. Throws `OPERATION_MISMATCH` for other content under the same id.
 */
export async function performOperation(entry: JournalEntry): Promise<Performed> {
  const db = database()
  await auditRefusedAttempts(entry, async () => requireService(entry.environment))
  const leaseHolder = randomUUID()
  const { row, isNew, isSame } = await journal(db, entry, leaseHolder, await readIdempotencyClock(entry.environment))
  if (!isSame) {
    await auditRefusedAttempts(entry, async () => {
      throw new AppError('OPERATION_MISMATCH', 'This operation was started before with other content.')
    })
  }
  if (isNew && row.state === 'waiting') {
    publishOperation(row)
    return { row, readBack: null }
  }
  return isNew ? sendOnce(row, leaseHolder, entry.request) : settleOperation(row.id)
}

/**
 * Brings an operation to its outcome: waits for the process that sends it, or takes it over where that process died or got no
 * response. Returns the row as it is after at most some 25 s.
 */
export async function settleOperation(id: string): Promise<Performed> {
  const db = database()
  const deadline = Date.now() + waitMs
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 2, 400)) {
    const running = inFlight().get(id)
    if (running) return running
    const row = await findOperation(db, id)
    if (!row) throw new Error('an operation vanished from the journal')
    if (row.settledAt || row.state === 'waiting' || Date.now() > deadline) return { row, readBack: null }
    const leaseHolder = randomUUID()
    const wasSentBefore = row.state !== 'not-sent' && row.state !== 'approved'
    const changes = wasSentBefore ? {} : { serviceCreatedAt: await readIdempotencyClock(row.environment) }
    const taken = await takeOver(db, row, leaseHolder, changes)
    if (taken) return sendOnce(taken, leaseHolder, wasSentBefore ? 'resume' : null)
    await delay(pauseMs)
  }
}

const inFlight = processWide<Map<string, Promise<Performed>>>('carddeskOperations', () => new Map())

/** How a sending begins: with the request just made, with the journal's bytes (null), or after an earlier sending. */
type Start = PreparedRequest | null | 'resume'

/** One sender at a time in this process; other calls await the same promise. */
function sendOnce(row: OperationRow, leaseHolder: string, start: Start): Promise<Performed> {
  const facts = { operationId: row.id, environment: row.environment }
  const sending = traced(`operation ${row.kind}`, facts, async (add) => {
    const performed = await send(row, leaseHolder, start)
    add({ state: performed.row.state })
    return performed
  }).finally(() => inFlight().delete(row.id))
  inFlight().set(row.id, sending)
  return sending
}

/** Sends and reads back. Open pages get one message about all that changed, after the outcome is written. */
async function send(row: OperationRow, leaseHolder: string, start: Start): Promise<Performed> {
  const stopRenewing = renewLease(database(), row.id, leaseHolder)
  try {
    return await publishTogether(async () => {
      const { settlement, readBack } = start === 'resume' ? await resume(row) : await begin(row, leaseHolder, start)
      const after = await writeOutcome(database(), row.id, leaseHolder, settlement)
      if (after.settledAt || isNews(row, after)) publishOperation(after)
      return { row: after, readBack }
    })
  } finally {
    stopRenewing()
  }
}

/** Whether an open outcome is another one than before. */
function isNews(before: OperationRow, after: OperationRow): boolean {
  return before.code !== after.code || before.statusAfter !== after.statusAfter || after.attempts === 1
}

/** The first sending. An approved request may have to be made again before it. */
async function begin(row: OperationRow, leaseHolder: string, made: PreparedRequest | null): Promise<Verified> {
  const ready = row.needsApproval ? await readyToSend(row, leaseHolder) : row
  if ('id' in ready) return sendAndVerify(ready, made)
  return { settlement: { ...unchanged(row), ...ready }, readBack: null }
}

/** The approved request as it is sent now, or why it is not sent. */
async function readyToSend(row: OperationRow, leaseHolder: string): Promise<OperationRow | Stopped> {
  const spec = specOf(row.kind)
  if (!spec?.renew) return row
  const terms = grantOf(row)?.termsSha256 ? await readTerms(row.id) : null
  if (!terms) return row
  try {
    const renewal = await spec.renew(row, JSON.parse(terms.toString('utf8')) as Fields)
    if (renewal.kind === 'valid') return row
    if (renewal.kind === 'stopped')
      return { state: 'refused', code: outsideTolerance, message: renewal.message, isLast: true }
    const request = fromTerms(terms, renewal.quoteId, serviceProfile(row.environment))
    return await writeRenewed(database(), row, leaseHolder, { ...renewal, bytes: request.bytes ?? new Uint8Array() })
  } catch (error) {
    if (!isAppError(error)) throw error
    return { state: 'not-sent', code: error.code, message: error.message, isLast: false }
  }
}

type Stopped = Pick<Settlement, 'state' | 'code' | 'message' | 'isLast'>

/** The quote that replaces an expired one costs more than was approved. */
const outsideTolerance = 'OUTSIDE_TOLERANCE'

type Verified = { settlement: Settlement; readBack: Confirmation | null }

/** Brings an operation on whose outcome is not known: reads back first, and sends again only what may be sent again. */
async function resume(row: OperationRow): Promise<Verified> {
  const body = readableBody(row)
  const readBack = await confirm(row, fieldsOf(body), null)
  if (readBack.verdict === 'done' || readBack.verdict === 'partial') return confirmed(row, readBack)
  const key = await keyState(row)
  if (!body || key !== 'stored') {
    return { settlement: { ...unchanged(row), ...open(readBack), isLast: !body || key === 'forgotten' }, readBack }
  }
  // What was accepted, or refused after a lost attempt, is only read again.
  if (row.code === notConfirmed || isBusinessError(row)) {
    const isLast = row.attempts + 1 >= maximumReadings
    return { settlement: { ...unchanged(row), ...open(readBack), isLast }, readBack }
  }
  const isSafe = isRepeatable(row.kind) || (readBack.verdict === 'not-done' && (await honoursKeys(row.environment)))
  if (!isSafe) {
    return { settlement: { ...unchanged(row), ...open(readBack), code: needsReview, isLast: false }, readBack }
  }
  // The service said when it accepts requests again: until then this one is only read back.
  if (restMsOf(row.environment) > 0)
    return { settlement: { ...unchanged(row), ...open(readBack), isLast: false }, readBack }
  return sendAndVerify(row, preparedFrom(row.environment, row.endpoint, body), true)
}

/** Sends the bytes and verifies the result by reading the record back. */
async function sendAndVerify(
  row: OperationRow,
  made: PreparedRequest | null,
  wasSentBefore = false,
): Promise<Verified> {
  const body = made?.bytes ?? readableBody(row)
  if (!body && row.needsApproval && !wasSentBefore)
    return { settlement: { ...unchanged(row), ...notApproved }, readBack: null }
  if (!body) return { settlement: { ...unchanged(row), state: 'unknown', isLast: true }, readBack: null }
  const request = made ?? preparedFrom(row.environment, row.endpoint, body)
  const approved = await approvedRequestOf(row)
  const options = {
    idempotencyKey: row.id,
    wasSentBefore,
    approved,
    // A request that creates a record is sent once; a look-up decides whether it may be sent again.
    ...(isRepeatable(row.kind) || (await honoursKeys(row.environment)) ? {} : { attempts: 1 }),
  }
  const sent = await sendPrepared(row.environment, request, options).catch((error: unknown) => {
    if (error instanceof NotApprovedError) return null
    throw error
  })
  if (!sent) return { settlement: { ...unchanged(row), ...notApproved }, readBack: null }
  const facts = { status: sent.status, code: sent.code, message: sent.message, requestId: sent.requestId }
  const plain = { ...facts, resultId: null, statusAfter: null, isLast: false }
  if (sent.outcome === 'not-sent') return { settlement: { ...plain, state: 'not-sent' }, readBack: null }
  if (sent.outcome === 'refused') return { settlement: { ...plain, state: 'refused' }, readBack: null }

  const isRefusedAfterLoss = !sent.accepted && isBusinessError(sent)
  const isChangeExpected = sent.accepted !== null || isRefusedAfterLoss
  const readBack = await confirmWithPauses(row, fieldsOf(body), sent.accepted, isChangeExpected)
  const settlement = { ...plain, statusAfter: readBack.statusAfter, resultId: readBack.resultId }
  if (readBack.verdict === 'done' || readBack.verdict === 'partial') {
    const { verdict: state, detail: message } = readBack
    return { settlement: { ...settlement, code: null, message, state }, readBack }
  }
  if (sent.accepted) {
    const resultId = sent.accepted.resultId
    return { settlement: { ...settlement, resultId, ...open(readBack), code: notConfirmed }, readBack }
  }
  // An attempt was lost and a later one refused: the record shows that neither had an effect. An error that says that the change
  // was made before contradicts the record, which may be out of date.
  const isRefused = isRefusedAfterLoss && readBack.verdict === 'not-done' && !impliesEffect.test(sent.code ?? '')
  return { settlement: { ...settlement, state: isRefused ? 'refused' : 'unknown' }, readBack }
}

/** The signer refused: the stored request is not the approved one, or there is no approval. */
const notApproved = {
  state: 'refused',
  code: 'APPROVAL_MISMATCH',
  message: 'The stored request is not the one that was approved, so it was not signed.',
  isLast: true,
} as const

/** Codes of a change that was made before, or of a record that is not as it was just read. */
const impliesEffect = /ALREADY|NOT_FOUND/

/** The response was accepted, and the record does not show the change. */
const notConfirmed = 'NOT_CONFIRMED'
/** The request may have created a record, and nothing shows that the service honours its key: a person must check. */
const needsReview = 'NEEDS_REVIEW'

function open({ detail, statusAfter }: Confirmation): Pick<Settlement, 'state' | 'message' | 'statusAfter'> {
  return { state: 'unknown', message: detail, statusAfter }
}

/** The earlier outcome of the operation. */
function unchanged({ status, code, requestId, resultId, message }: OperationRow): Omit<Settlement, 'state'> {
  return { status, code, message, requestId, resultId, statusAfter: null, isLast: false }
}

function confirmed(row: OperationRow, readBack: Confirmation): Verified {
  const { statusAfter, detail: message } = readBack
  const state = readBack.verdict === 'done' ? 'done' : 'partial'
  const resultId = readBack.resultId ?? row.resultId
  return { settlement: { ...unchanged(row), statusAfter, resultId, code: null, message, state }, readBack }
}

/** An error about the content that was sent, and not about the caller, the URL or the key. A 2xx may hold one. */
function isBusinessError({ status, code }: Pick<OperationRow, 'status' | 'code'>): boolean {
  if (status !== null && status < 300) return true
  if (status === 404) return code !== null && code !== 'NOT_FOUND'
  if (status === 409) return code !== null && code !== 'IDEMPOTENCY_CONFLICT'
  return status === 400 || status === 422
}

/** The body that was sent, parsed. */
function fieldsOf(body: Uint8Array | null): Fields {
  return body ? (JSON.parse(Buffer.from(body).toString('utf8')) as Fields) : {}
}

/**
 * Whether the service still stores its response under the operation's key, so that the same bytes have one effect. The
 * service's clock decides, which can be hours ahead, because a sandbox's clock is moved forward. `clock unknown` is
 * retried later. A row without the service's time counts as `forgotten`, unless the service's clock is the real one.
 */
async function keyState(row: OperationRow): Promise<'stored' | 'forgotten' | 'clock unknown'> {
  const serviceNow = await readIdempotencyClock(row.environment)
  if (!serviceNow) return 'clock unknown'
  const createdAt = row.serviceCreatedAt ?? (hasMovableClock(row.environment) ? null : row.createdAt)
  if (!createdAt) return 'forgotten'
  const ageMs = serviceNow.getTime() - createdAt.getTime()
  return ageMs > replayWindowMs || ageMs < -clockToleranceMs ? 'forgotten' : 'stored'
}

/** The bytes, or null where they cannot be had any more: erased, or sealed under another key than that of the settings. */
function readableBody(row: OperationRow): Uint8Array | null {
  try {
    return bodyOf(row)
  } catch (error) {
    logFailure(error, { while: 'opening the bytes of an operation', operation: row.id })
    return null
  }
}

/** Publishes what the operation may have changed to every open page. */
export function publishOperation(row: OperationRow): void {
  const approval = row.needsApproval ? [{ type: 'approvals' as const }] : []
  publish(row.environment, [{ type: 'operation', id: row.id }, ...approval, ...(specOf(row.kind)?.changes(row) ?? [])])
}

function isRepeatable(kind: string): boolean {
  return specOf(kind)?.isRepeatable ?? false
}
