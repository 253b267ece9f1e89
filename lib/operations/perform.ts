import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import { fromTerms, NotApprovedError } from '#lib/client/approved-request.ts'
import { database } from '#lib/db/connection.ts'
import { isBuiltIn, honoursKeys, readIdempotencyClock } from '#lib/environments/control-plane.ts'
import {
  preparedFrom,
  type PreparedRequest,
  requireService,
  msUntilRetry,
  sendPrepared,
  type Sent,
  serviceProfile,
} from '#lib/environments/environments.ts'
import type { Fields } from '#lib/gate/action.ts'
import { publish, publishTogether } from '#lib/live/publish.ts'
import { AppError, isAppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { textIn } from '#lib/shared/json.ts'
import { logFailure } from '#lib/shared/log.ts'
import { dayMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { traced } from '#lib/shared/tracing.ts'
import { readApprovedRequest, openGrant, readTerms } from './approvals/grant.ts'
import {
  openBody,
  findOperation,
  journal,
  type JournalEntry,
  endQueued,
  type OperationRow,
  postponeQueued,
  renewLease,
  type Settlement,
  stepsBefore,
  takeOver,
  writeOutcome,
  writeRenewed,
} from './journal.ts'
import { confirm, confirmWithPauses } from './read-back.ts'
import { findSpec } from './registry.ts'
import type { Confirmation } from './spec.ts'
import { turnAfter } from './steps.ts'

/**
 * How old an idempotency key may be by the service's clock to be sent again. The service stores its response for a day; the
 * rest is for a request that is under way for long.
 */
const replayWindowMs = dayMs - 5 * minuteMs
/** A clock that is further behind the operation's own time was set back: the service has started again from its seed. */
const clockToleranceMs = minuteMs
const waitMs = 25 * secondMs
/**
 * An accepted operation whose record never shows the change is left to people after this many rounds, in about half an
 * hour.
 */
const maximumReadings = 10
/** After this many rounds, in about an hour and a half, nothing is sent again unless a person presses. */
const maximumSendings = 16

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
  const clock = await readIdempotencyClock(entry.environment)
  const { row, isNew, isSame } = await auditRefusedAttempts(entry, () => journal(db, entry, leaseHolder, clock))
  if (!isSame) {
    await auditRefusedAttempts(entry, async () => {
      throw new AppError('OPERATION_MISMATCH', 'This operation was started before with other content.')
    })
  }
  if (isNew && row.state === 'waiting') publishOperation(row)
  const steps = await stepsBefore(db, row)
  for (const { id } of steps) await settleOperation(id, 'press')
  if (row.state === 'waiting') return { row, readBack: null }
  return isNew && steps.length === 0 ? sendOnce(row, leaseHolder, entry.request) : settleOperation(row.id, 'press')
}

/** The turn of a queued operation: it begins, it waits for the step before it, or it is over. */
async function takeTurn(row: OperationRow, occasion: Occasion): Promise<'begins' | 'waits' | OperationRow> {
  const db = database()
  let before = row.follows === null ? null : await findOperation(db, row.follows)
  if (before && before.state !== 'waiting' && !before.settledAt)
    before = (await settleOperation(before.id, occasion)).row
  const turn = before ? turnAfter(before) : 'begins'
  if (turn === 'begins') return turn
  if (turn === 'waits') {
    await postponeQueued(db, row.id)
    return turn
  }
  const ended = await endQueued(db, row.id, turn)
  if (ended) publishOperation(ended)
  return ended ?? 'waits'
}

/** Why a round begins. A person pressed, it is due, or somebody looks: then the record is read, and nothing is sent early. */
type Occasion = 'press' | 'due' | 'look'

/**
 * Brings an operation to its outcome: waits for the process that sends it, or takes it over where that process died or got no
 * response. Returns the row as it is after at most some 25 s.
 */
export async function settleOperation(id: string, occasion: Occasion = 'due'): Promise<Performed> {
  const db = database()
  const deadline = Date.now() + waitMs
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 2, 400)) {
    const running = inFlight().get(id)
    if (running) return running
    const row = await findOperation(db, id)
    if (!row) throw new Error('an operation vanished from the journal')
    if (row.settledAt || row.state === 'waiting' || Date.now() > deadline) return { row, readBack: null }
    if (row.state === 'queued') {
      const turn = await takeTurn(row, occasion)
      if (turn === 'waits') return { row: (await findOperation(db, id)) ?? row, readBack: null }
      if (turn !== 'begins') return { row: turn, readBack: null }
    }
    const leaseHolder = randomUUID()
    const wasSentBefore = !neverBegun.has(row.state)
    const changes = wasSentBefore ? {} : { serviceCreatedAt: await readIdempotencyClock(row.environment) }
    const taken = await takeOver(db, row, leaseHolder, changes)
    if (taken) return sendOnce(taken, leaseHolder, wasSentBefore ? occasion : null)
    await delay(pauseMs)
  }
}

/** States of an operation that was certainly not sent. */
const neverBegun: ReadonlySet<OperationRow['state']> = new Set(['queued', 'not-sent', 'approved'])

const inFlight = globalSingleton<Map<string, Promise<Performed>>>('carddeskOperations', () => new Map())

/** How a sending begins: with the request just made, with the journal's bytes (null), or after an earlier sending. */
type Start = PreparedRequest | null | Occasion

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
      const { settlement, readBack } =
        typeof start === 'string' ? await resume(row, start) : await begin(row, leaseHolder, start)
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
  if (row.status === tooMany) {
    const readBack = await confirm(row, parseBody(readableBody(row)), null)
    if (readBack.verdict === 'done' || readBack.verdict === 'partial') return confirmed(row, readBack)
  }
  const ready = row.needsApproval ? await readyToSend(row, leaseHolder) : row
  if ('id' in ready) return sendAndVerify(ready, made)
  return { settlement: { ...unchanged(row), ...ready }, readBack: null }
}

/** The approved request as it is sent now, or why it is not sent. */
async function readyToSend(row: OperationRow, leaseHolder: string): Promise<OperationRow | Stopped> {
  const spec = findSpec(row.kind)
  try {
    const changed = await spec?.checkApproved?.(row)
    if (changed) return { state: 'refused', code: changedMeanwhile, message: changed, isLast: true }
    const terms = spec?.renew && openGrant(row)?.termsSha256 ? await readTerms(row.id) : null
    if (!spec?.renew || !terms) return row
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

/** The record is not any more as it was when the request was made. */
const changedMeanwhile = 'CHANGED_MEANWHILE'

type Stopped = Pick<Settlement, 'state' | 'code' | 'message' | 'isLast'>

/** The quote that replaces an expired one costs more than was approved. */
const outsideTolerance = 'OUTSIDE_TOLERANCE'

type Verified = { settlement: Settlement; readBack: Confirmation | null }

/** Brings an operation on whose outcome is not known: reads back first, and sends again only what may be sent again. */
async function resume(row: OperationRow, occasion: Occasion): Promise<Verified> {
  const body = readableBody(row)
  const readBack = await confirm(row, parseBody(body), null)
  if (readBack.verdict === 'done' || readBack.verdict === 'partial') return confirmed(row, readBack)
  const isLook = occasion === 'look' && (row.nextSettlementAt?.getTime() ?? 0) > Date.now()
  const staysOpen = { ...unchanged(row), ...open(row, readBack), isLook }
  const key = await keyState(row)
  // An operation that makes a record stays open until the record is found or a person settles it.
  const isFinal = isRepeatable(row.kind)
  if (!body || key !== 'stored') {
    const code = isFinal || row.code === notConfirmed ? row.code : needsReview
    const isLast = isFinal && (!body || key === 'forgotten')
    return { settlement: { ...staysOpen, code, isLast }, readBack }
  }
  // After an acceptance, or a refusal that follows a lost attempt, the record is only read again.
  if (row.code === notConfirmed || isBusinessError(row)) {
    const isLast = isFinal && !isLook && row.attempts + 1 >= maximumReadings
    return { settlement: { ...staysOpen, isLast }, readBack }
  }
  const isSafe = isFinal || (readBack.verdict === 'not-done' && (await honoursKeys(row.environment)))
  if (!isSafe) return { settlement: { ...staysOpen, code: needsReview }, readBack }
  const isEarly = isLook || (occasion !== 'press' && row.attempts >= maximumSendings)
  // The service said when it accepts requests again: until then this one is only read back.
  if (isEarly || msUntilRetry(row.environment) > 0) return { settlement: staysOpen, readBack }
  return sendAndVerify(row, preparedFrom(row.environment, row.endpoint, body), occasion)
}

/** Sends the bytes and verifies the result by reading the record back. */
async function sendAndVerify(
  row: OperationRow,
  made: PreparedRequest | null,
  occasion: Occasion | null = null,
): Promise<Verified> {
  const body = made?.bytes ?? readableBody(row)
  if (!body) {
    const ending = row.needsApproval && occasion === null ? notApproved : ({ state: 'unknown', isLast: true } as const)
    return { settlement: { ...unchanged(row), ...ending }, readBack: null }
  }
  const sent = await sendAsApproved(row, made ?? preparedFrom(row.environment, row.endpoint, body), occasion)
  if (!sent) return { settlement: { ...unchanged(row), ...notApproved }, readBack: null }
  return verify(row, body, sent, occasion !== null)
}

/** Sends the request; null where the signer refuses it. */
async function sendAsApproved(
  row: OperationRow,
  request: PreparedRequest,
  occasion: Occasion | null,
): Promise<Sent | null> {
  // A request that creates a record is sent once; a look-up decides whether it may be sent again. A round that no person
  // requested sends once, too: the pauses between rounds grow.
  const isSentOnce =
    occasion === 'due' || occasion === 'look' || !(isRepeatable(row.kind) || (await honoursKeys(row.environment)))
  const options = {
    idempotencyKey: row.id,
    wasSentBefore: occasion !== null,
    approved: await readApprovedRequest(row),
    ...(isSentOnce ? { attempts: 1 } : {}),
    isRepeatedWhenLimited: isRepeatable(row.kind),
  }
  try {
    return await sendPrepared(row.environment, request, options)
  } catch (error) {
    if (error instanceof NotApprovedError) return null
    throw error
  }
}

/** The outcome of what was sent, by the response and by the record as it is read now. */
async function verify(row: OperationRow, body: Uint8Array, sent: Sent, wasSentBefore: boolean): Promise<Verified> {
  const { status, code, message, requestId, accepted } = sent
  const givenXid = textIn(accepted?.body, 'xid')?.slice(0, 200) ?? null
  const facts = { status, code, message, requestId, givenXid, isLast: false }
  const responded = responseText(sent)
  if (sent.outcome === 'not-sent' || sent.outcome === 'refused') {
    const settlement = { ...facts, state: sent.outcome, resultId: null, statusAfter: null, findings: [responded] }
    return { settlement, readBack: null }
  }

  const isRefusedAfterLoss = !accepted && isBusinessError(sent)
  const readBack = await confirmWithPauses(row, parseBody(body), accepted, accepted !== null || isRefusedAfterLoss)
  const { verdict, detail, statusAfter, resultId } = readBack
  const found = formatFinding(row, readBack)
  const read = { ...facts, statusAfter, resultId, findings: [responded, found] }
  if (verdict === 'done' || verdict === 'partial') {
    return { settlement: { ...read, state: verdict, code: null, message: detail }, readBack }
  }
  if (accepted) {
    const open = { state: 'unknown', code: notConfirmed, message: detail, resultId: accepted.resultId } as const
    return { settlement: { ...read, ...open }, readBack }
  }
  // A 429 comes before any work. What makes a record is then sent again by the person alone.
  if (status === tooMany && !wasSentBefore && sent.attempts === 1 && !isRepeatable(row.kind)) {
    const retryAt = sent.retryAfterMs === null ? null : new Date(Date.now() + sent.retryAfterMs)
    return { settlement: { ...read, state: 'not-sent', retryAt, findings: [found, responded] }, readBack }
  }
  // An attempt was lost and a later one refused: the record shows that neither had an effect. An error that says that the change
  // was made before contradicts the record, which may be out of date.
  const isRefused = isRefusedAfterLoss && verdict === 'not-done' && !impliesEffect.test(code ?? '')
  return { settlement: { ...read, state: isRefused ? 'refused' : 'unknown' }, readBack }
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

/** The status of a service that accepts no more requests for now. */
const tooMany = 429

function open(row: OperationRow, readBack: Confirmation) {
  const { detail: message, statusAfter } = readBack
  return { state: 'unknown' as const, message, statusAfter, findings: [formatFinding(row, readBack)] }
}

/** The finding of a reading as a sentence. */
function formatFinding({ kind }: OperationRow, { verdict, detail, statusAfter }: Confirmation): string {
  const noun = findOperationDefinition(kind)?.noun ?? 'record'
  if (detail !== null) return detail
  if (verdict === 'unreadable') {
    return statusAfter === null
      ? `The ${noun} could not be read.`
      : `The ${noun} is ${statusAfter}. It doesn’t show whether this was done.`
  }
  const isShown = verdict === 'done' || verdict === 'partial'
  const status = statusAfter === null ? '' : ` It is ${statusAfter}.`
  return `The ${noun} ${isShown ? 'shows it' : 'doesn’t show it'}.${status}`
}

/** The response to a request as a sentence. */
function responseText({ outcome, status, code }: Sent): string {
  if (outcome === 'not-sent') return 'The card service could not be reached.'
  if (status === null) return 'The card service gave no response.'
  return `The card service responded HTTP ${status}${code === null ? '' : ` ${code}`}.`
}

/** The earlier outcome of the operation. */
function unchanged({ status, code, requestId, resultId, message }: OperationRow): Omit<Settlement, 'state'> {
  return { status, code, message, requestId, resultId, statusAfter: null, isLast: false }
}

function confirmed(row: OperationRow, readBack: Confirmation): Verified {
  const { statusAfter, detail: message } = readBack
  const state = readBack.verdict === 'done' ? 'done' : 'partial'
  const resultId = readBack.resultId ?? row.resultId
  const findings = [formatFinding(row, readBack)]
  return { settlement: { ...unchanged(row), statusAfter, resultId, code: null, message, state, findings }, readBack }
}

/** An error about the content that was sent, and not about the caller, the URL or the key. A 2xx may hold one. */
function isBusinessError({ status, code }: Pick<OperationRow, 'status' | 'code'>): boolean {
  if (status !== null && status < 300) return true
  if (status === 404) return code !== null && code !== 'NOT_FOUND'
  if (status === 409) return code !== null && code !== 'IDEMPOTENCY_CONFLICT'
  return status === 400 || status === 422
}

/** The body that was sent, parsed. */
function parseBody(body: Uint8Array | null): Fields {
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
  const createdAt = row.serviceCreatedAt ?? (isBuiltIn(row.environment) ? null : row.createdAt)
  if (!createdAt) return 'forgotten'
  const ageMs = serviceNow.getTime() - createdAt.getTime()
  return ageMs > replayWindowMs || ageMs < -clockToleranceMs ? 'forgotten' : 'stored'
}

/** The bytes, or null where they cannot be had any more: erased, or sealed under another key than that of the settings. */
function readableBody(row: OperationRow): Uint8Array | null {
  try {
    return openBody(row)
  } catch (error) {
    logFailure(error, { while: 'opening the bytes of an operation', operation: row.id })
    return null
  }
}

/** Publishes what the operation may have changed to every open page. */
export function publishOperation(row: OperationRow): void {
  const approval = row.needsApproval ? [{ type: 'approvals' as const }] : []
  publish(row.environment, [
    { type: 'operation', id: row.id },
    ...approval,
    ...(findSpec(row.kind)?.changes(row) ?? []),
  ])
}

/** Whether a second sending has no second effect at any service: what makes a record is looked up instead. */
function isRepeatable(kind: string): boolean {
  const row = findOperationDefinition(kind)
  return row !== undefined && !row.creates
}
