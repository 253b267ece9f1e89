import 'server-only'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { fromTerms, NotApprovedError } from '#lib/client/approved-request.ts'
import { database } from '#lib/db/connection.ts'
import { isBuiltIn, honoursKeys, readIdempotencyClock } from '#lib/environments/control-plane.ts'
import {
  preparedFrom,
  type PreparedRequest,
  msUntilRetry,
  sendPrepared,
  type Sent,
  serviceProfile,
} from '#lib/environments/environments.ts'
import type { Fields } from '#lib/gate/action.ts'
import { isAppError, nullOn } from '#lib/shared/app-error.ts'
import { textIn } from '#lib/shared/json.ts'
import { logFailure } from '#lib/shared/log.ts'
import { dayMs, minuteMs } from '#lib/shared/time.ts'
import { readApprovedRequest, openGrant, readTerms } from './approvals/grant.ts'
import { isStillPermitted } from './approvals/people.ts'
import { formatFinding, formatFindingAlone, responseText, saidText } from './findings.ts'
import { openBody, type OperationRow, writeRenewed } from './journal.ts'
import { changedSince, findLaterChange } from './later-change.ts'
import { nextStep, notConfirmed, type Known, type Occasion } from './next-step.ts'
import { confirm, confirmWithPauses } from './read-back.ts'
import { findSpec } from './registry.ts'
import { stateOnceSent } from './sent-state.ts'
import type { Settlement } from './settlement.ts'
import type { Confirmation } from './spec.ts'
import { notPermitted } from './steps.ts'

/**
 * How old an idempotency key may be by the service's clock to be sent again. The service stores its response for a day; the
 * rest is for a request that is under way for long.
 */
const replayWindowMs = dayMs - 5 * minuteMs
/** A clock that is further behind the operation's own time was set back: the service has started again from its seed. */
const clockToleranceMs = minuteMs

/**
 * The first sending. A request that waited, for an approval or for a second press, is compared with the record as it is now, and an
 * approved one may have to be made again. Nothing is sent for a person whose access ended while the
 * checks before it were made.
 */
export async function begin(row: OperationRow, leaseHolder: string, made: PreparedRequest | null): Promise<Verified> {
  // A service may refuse with a 429 what it has done all the same, and make a card itself as it cancels one.
  if (row.status === tooMany || (row.follows !== null && createsRecord(row.kind))) {
    const readBack = await confirm(row, parseBody(readableBody(row)), null)
    if (readBack.verdict === 'done' || readBack.verdict === 'partial') return confirmed(row, readBack)
  }
  if (!(await isStillPermitted(row))) return ended(row, { ...notPermitted(row), isLast: true })
  // Skipped for a request made just now: it was built from the record that the person sees.
  const later = made ? null : await findLaterChange(row, row.createdAt)
  if (later) return ended(row, changedBefore(later))
  const hasWaited = row.needsApproval || (made === null && row.attempts > 0)
  const ready = hasWaited ? await prepareSending(row, leaseHolder) : row
  return 'id' in ready ? sendAndVerify(ready, made, null) : ended(row, ready)
}

/** A request that waited, as it is sent now, or why it is not sent. */
async function prepareSending(row: OperationRow, leaseHolder: string): Promise<OperationRow | Stopped> {
  const spec = findSpec(row.kind)
  try {
    const obstacle = await spec?.checkApproved?.(row)
    if (obstacle) return changedBefore(obstacle.text, obstacle.code)
    const terms = spec?.renew && openGrant(row)?.termsSha256 ? await readTerms(row.id) : null
    if (!spec?.renew || !terms) return row
    const renewal = await spec.renew(row, JSON.parse(terms.toString('utf8')) as Fields)
    if (renewal.kind === 'valid') return row
    if (renewal.kind === 'stopped')
      return { state: 'refused', code: 'OUTSIDE_TOLERANCE', message: renewal.message, isLast: true }
    const request = fromTerms(terms, renewal.quoteId, serviceProfile(row.environment))
    return await writeRenewed(database(), row, leaseHolder, { ...renewal, bytes: request.bytes ?? new Uint8Array() })
  } catch (error) {
    if (!isAppError(error)) throw error
    return { state: 'not-sent', code: error.code, message: error.message, isLast: false }
  }
}

type Stopped = Pick<Settlement, 'state' | 'code' | 'message' | 'isLast'>

/** The outcome of a request that is not sent, because the record is not as it was any more. */
function changedBefore(change: string, code: string = 'CHANGED_MEANWHILE'): Stopped {
  return { state: 'refused', code, message: `${change} Nothing was sent.`, isLast: true }
}

export type Verified = { settlement: Settlement; readBack: Confirmation | null }

/** Brings an operation on whose outcome is not known: reads back first, and sends again only what may be sent again. */
export async function resume(row: OperationRow, occasion: Occasion): Promise<Verified> {
  const body = readableBody(row)
  const readBack = await confirm(row, parseBody(body), null)
  if (readBack.verdict === 'done' || readBack.verdict === 'partial') return confirmed(row, readBack)
  const { detail, statusAfter } = readBack
  const findings = [formatFinding(row, readBack)]
  const isEarlyLook = occasion === 'look' && (row.nextSettlementAt?.getTime() ?? 0) > Date.now()
  const creates = createsRecord(row.kind)
  const next = nextStep({
    occasion,
    isEarlyLook,
    attempts: row.attempts,
    code: row.code,
    isBusinessError: isBusinessError(row),
    creates,
    hasOneEffect: !creates || (readBack.verdict === 'not-done' && (await honoursKeys(row.environment))),
    sameRequest: body ? await sameRequest(row) : 'never',
    mustWait: msUntilRetry(row.environment) > 0 || (readBack.verdict === 'unreadable' && !(await isResendSafe(row))),
    isPermitted: await isStillPermitted(row),
  })
  if (next === 'send') {
    const changed = await findChange(row)
    if (!changed) return sendAndVerify(row, null, occasion)
    const outdated = { state: 'refused', code: changedSince, message: `It was not sent again. ${changed}` } as const
    return ended(row, { ...outdated, statusAfter, findings, isLast: true }, readBack)
  }
  const open = { state: 'unknown', message: detail, statusAfter, findings, isLook: isEarlyLook } as const
  return ended(row, { ...open, ...next }, readBack)
}

/** Sentence about a later change of the record, because of which the operation is not sent again; null if there is none. */
async function findChange(row: OperationRow): Promise<string | null> {
  const later = await findLaterChange(row, row.approvedAt ?? row.createdAt)
  const check = createsRecord(row.kind) ? undefined : findSpec(row.kind)?.checkApproved
  if (later !== null || !check) return later
  return (await nullOn(check(row)))?.text ?? null
}

/**
 * Sends the request just made, or the journal's bytes, and verifies the result by reading the record back. `occasion` is null for the
 * first sending.
 */
async function sendAndVerify(
  row: OperationRow,
  made: PreparedRequest | null,
  occasion: Occasion | null,
): Promise<Verified> {
  const body = made?.bytes ?? readableBody(row)
  if (!body) {
    const ending = row.needsApproval && occasion === null ? notApproved : ({ state: 'unknown', isLast: true } as const)
    return ended(row, ending)
  }
  const sent = await sendAsApproved(row, made ?? preparedFrom(row.environment, row.endpoint, body), occasion)
  if (!sent) return ended(row, notApproved)
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
  const isSentOnce = occasion === 'due' || occasion === 'look' || !(await isResendSafe(row))
  const options = {
    idempotencyKey: row.id,
    wasSentBefore: occasion !== null,
    approved: await readApprovedRequest(row),
    ...(isSentOnce ? { attempts: 1 } : {}),
    isRepeatedWhenLimited: !createsRecord(row.kind),
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
  if (sent.outcome === 'not-sent' || (sent.outcome === 'refused' && !mayRefuseSecondDelivery(row, sent))) {
    const settlement = { ...facts, state: sent.outcome, resultId: null, statusAfter: null, findings: [responded] }
    return { settlement, readBack: null }
  }

  const isRefused = !accepted && isBusinessError(sent)
  const isAfterLoss = sent.outcome !== 'refused'
  // A first refusal with a code explains itself; without one, or after a loss, it may be due to what the record shows in a moment.
  const isChangeExpected = accepted !== null || isRefused === isAfterLoss
  const readBack = await confirmWithPauses(row, parseBody(body), accepted, isChangeExpected)
  const { verdict, detail, statusAfter, resultId } = readBack
  const isLimited = status === tooMany && !wasSentBefore && sent.attempts === 1
  const state = stateOnceSent({
    verdict,
    isAccepted: accepted !== null,
    isLimited,
    isRefused,
    isAfterLoss,
    code,
    creates: createsRecord(row.kind),
  })
  const found = formatFinding(row, readBack)
  const read = { ...facts, state, statusAfter, resultId, findings: [responded, found] }
  if (state === 'done' || state === 'partial') return { settlement: { ...read, code: null, message: detail }, readBack }
  if (accepted) {
    // A service may say with a 200 why it did nothing.
    const findings = [responded, `${found}${saidText(accepted.body)}`]
    const open = { code: notConfirmed, message: detail, resultId: accepted.resultId, findings }
    return { settlement: { ...read, ...open }, readBack }
  }
  if (state !== 'not-sent') return { settlement: read, readBack }
  const retryAt = sent.retryAfterMs === null ? null : new Date(Date.now() + sent.retryAfterMs)
  return { settlement: { ...read, retryAt, findings: [found, responded] }, readBack }
}

/**
 * Whether a refusal may be of the request's second delivery: a proxy repeated it, and the first one made the record. It is looked up
 * before it is called refused.
 */
function mayRefuseSecondDelivery(row: OperationRow, { status, code }: Sent): boolean {
  return createsRecord(row.kind) && (status === 409 || /ALREADY/.test(code ?? ''))
}

/** The signer refused: the stored request is not the approved one, or there is no approval. */
const notApproved = {
  state: 'refused',
  code: 'APPROVAL_MISMATCH',
  message: 'The stored request is not the one that was approved, so it was not signed.',
  isLast: true,
} as const

/** The status of a service that accepts no more requests for now. */
const tooMany = 429

/** A round that ends without a new response: what `settlement` does not say stays as the earlier rounds left it. */
function ended(
  { status, code, requestId, resultId, message }: OperationRow,
  settlement: Partial<Settlement> & Pick<Settlement, 'state'>,
  readBack: Confirmation | null = null,
): Verified {
  const earlier = { status, code, message, requestId, resultId, statusAfter: null, isLast: false }
  return { settlement: { ...earlier, ...settlement }, readBack }
}

function confirmed(row: OperationRow, readBack: Confirmation): Verified {
  const { statusAfter, detail: message } = readBack
  const state = readBack.verdict === 'done' ? 'done' : 'partial'
  const resultId = readBack.resultId ?? row.resultId
  const findings = [formatFindingAlone(row, readBack)]
  return ended(row, { statusAfter, resultId, code: null, message, state, findings }, readBack)
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
 * service's clock decides, which can be hours ahead, because a sandbox's clock is moved forward. Where it cannot be read, not now. A
 * row without the service's time counts as forgotten, unless the service's clock is the real one.
 */
async function sameRequest(row: OperationRow): Promise<Known['sameRequest']> {
  const serviceNow = await readIdempotencyClock(row.environment)
  if (!serviceNow) return 'not now'
  const createdAt = row.serviceCreatedAt ?? (isBuiltIn(row.environment) ? null : row.createdAt)
  if (!createdAt) return 'never'
  const ageMs = serviceNow.getTime() - createdAt.getTime()
  return ageMs > replayWindowMs || ageMs < -clockToleranceMs ? 'never' : 'possible'
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

/** Whether it may be sent twice without a reading in between: it sets a state and moves no money by it, or the service honours keys. */
async function isResendSafe({ kind, environment }: OperationRow): Promise<boolean> {
  const setsState = !createsRecord(kind) && findOperationDefinition(kind)?.movesMoney !== true
  return setsState || honoursKeys(environment)
}

/** Whether the operation creates a record, as its definition says. An unknown kind counts as one that does: it is the safer answer. */
function createsRecord(kind: string): boolean {
  const definition = findOperationDefinition(kind)
  return definition === undefined || definition.creates === true
}
