import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { database } from '#lib/db/connection.ts'
import { dayMs, secondMs } from '#lib/shared/time.ts'
import { recordRefusal } from '../audit-refusals.ts'
import { requireService, sendPrepared, type Sent } from '../environments.ts'
import { announce } from '../live/announce.ts'
import { changesOfOperation } from '../live/operation-changes.ts'
import { logFailure } from '../log.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import type { Target } from '../target.ts'
import {
  bodyOf,
  findOperation,
  journal,
  renewLease,
  takeOver,
  writeOutcome,
  type JournalEntry,
  type OperationRow,
} from './journal.ts'

/** How long the service keeps an answer under its idempotency key: until then the same bytes have one effect. */
const replayWindowMs = dayMs
const waitMs = 25 * secondMs

/**
 * The single gate through which anything changes upstream; permission was checked by its caller, the function of the
 * resource. Journal, send, outcome, audit. The same id with the same content answers with the same outcome, however often
 * and from however many processes it is asked for; with other content it is refused.
 */
export async function performOperation(entry: JournalEntry): Promise<OperationRow> {
  const db = database()
  await auditRefusals(entry, async () => requireService(entry.environment))
  const leaseHolder = randomUUID()
  const { row, isNew, isSame } = await journal(db, entry, leaseHolder)
  if (!isSame) {
    await auditRefusals(entry, async () => {
      throw new Refusal('OPERATION_MISMATCH', 'This operation was started before with other content.')
    })
  }
  return isNew ? sendOnce(row, leaseHolder, false) : settleOperation(row.id)
}

/** Runs a check; where it refuses, the attempt stands in the audit trail before anybody is told. */
export async function auditRefusals<Value>(
  attempt: Pick<JournalEntry, 'environment' | 'by' | 'reason' | 'comment'> & {
    kind: string
    id: string | null
    target: Target | null
  },
  check: () => Promise<Value>,
): Promise<Value> {
  try {
    return await check()
  } catch (error) {
    if (isRefusal(error)) {
      const { by, environment, kind, target, reason, comment, id } = attempt
      const code = error.code
      const refused = { by, environment, act: kind, target, code, reason, comment, operationId: id }
      await recordRefusal(database(), refused)
    }
    throw error
  }
}

/**
 * Brings an operation to its outcome: waits for the process that sends it, or, where that one died or got no answer, sends
 * the same bytes under the same key. Answers with the row as it is after at most some 25 s.
 */
export async function settleOperation(id: string): Promise<OperationRow> {
  const db = database()
  const deadline = Date.now() + waitMs
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 2, 400)) {
    const running = inFlight().get(id)
    if (running) return running
    const row = await findOperation(db, id)
    if (!row) throw new Error('an operation vanished from the journal')
    if (row.settledAt || Date.now() > deadline) return row
    const leaseHolder = randomUUID()
    const taken = await takeOver(db, id, leaseHolder)
    if (taken) return sendOnce(taken, leaseHolder, row.state !== 'not-sent')
    await delay(pauseMs)
  }
}

const store = globalThis as typeof globalThis & { carddeskOperations?: Map<string, Promise<OperationRow>> }
const inFlight = () => (store.carddeskOperations ??= new Map())

/** One sending at a time in this process; the others of the process await the same promise. */
function sendOnce(row: OperationRow, leaseHolder: string, wasSentBefore: boolean): Promise<OperationRow> {
  const sending = send(row, leaseHolder, wasSentBefore).finally(() => inFlight().delete(row.id))
  inFlight().set(row.id, sending)
  return sending
}

async function send(row: OperationRow, leaseHolder: string, wasSentBefore: boolean): Promise<OperationRow> {
  const db = database()
  const stopRenewing = renewLease(db, row.id, leaseHolder)
  try {
    const isTooOld = Date.now() - row.createdAt.getTime() > replayWindowMs
    const body = isTooOld ? null : readableBody(row)
    const sent = body
      ? await sendPrepared(row.environment, row.endpoint, body, { idempotencyKey: row.id, wasSentBefore })
      : untold(row)
    const after = await writeOutcome(db, row.id, leaseHolder, sent, !body)
    if (after.settledAt) announce(after.environment, changesOfOperation(after))
    return after
  } finally {
    stopRenewing()
  }
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

/** Beyond the window the same key could have a second effect: what is known stays, and the card is read back instead. */
function untold(row: OperationRow): Sent {
  return {
    outcome: 'unknown',
    status: row.status,
    code: row.code,
    message: row.message,
    requestId: row.requestId,
    resultId: null,
  }
}
