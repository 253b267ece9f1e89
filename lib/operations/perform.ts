import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import { database } from '#lib/db/connection.ts'
import { readIdempotencyClock } from '#lib/environments/control-plane.ts'
import { requireService } from '#lib/environments/environments.ts'
import { publish, publishTogether } from '#lib/live/publish.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { secondMs } from '#lib/shared/time.ts'
import { traced } from '#lib/shared/tracing.ts'
import {
  findOperation,
  writeJournal,
  type JournalEntry,
  type OperationRow,
  postponeQueued,
  renewLease,
  listStepsBefore,
  takeOver,
} from './journal.ts'
import type { Occasion } from './next-step.ts'
import { findSpec } from './registry.ts'
import { begin, resume, type Verified } from './round.ts'
import { endQueued, writeOutcome } from './settlement.ts'
import type { Confirmation } from './spec.ts'
import { turnAfter } from './steps.ts'

/** How long a caller waits for the outcome. */
const waitMs = 25 * secondMs
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
  const { row, isNew, isSame } = await auditRefusedAttempts(entry, () => writeJournal(db, entry, leaseHolder, clock))
  if (!isSame) {
    await auditRefusedAttempts(entry, async () => {
      throw new AppError('OPERATION_MISMATCH', 'This operation was started before with other content.')
    })
  }
  if (isNew && row.state === 'waiting') publishOperation(row)
  // A step that was not sent stays so once the operation has ended because of it.
  if (row.settledAt) return { row, readBack: null }
  const steps = await listStepsBefore(db, row)
  for (const { id } of steps) await settleOperation(id, 'press')
  if (row.state === 'waiting') return { row, readBack: null }
  if (!isNew || steps.length > 0) return settleOperation(row.id, 'press')
  return sendOnce(row, leaseHolder, () => begin(row, leaseHolder, entry.request))
}

/** The turn of a queued operation: it begins, it waits for the step before it, or it is over. */
async function takeTurn(row: OperationRow, occasion: Occasion): Promise<'begins' | 'waits' | OperationRow> {
  const db = database()
  let before = row.follows === null ? null : await findOperation(db, row.follows)
  // The step before is settled on its own schedule, so this one's turns only look at it. If it was not sent, only a press sends it.
  const isUnsent = before?.state === 'not-sent' && occasion !== 'press'
  if (before && before.state !== 'waiting' && !before.settledAt && !isUnsent)
    before = (await settleOperation(before.id, occasion === 'due' ? 'look' : occasion)).row
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
    if (taken) {
      const round = () => (wasSentBefore ? resume(taken, occasion) : begin(taken, leaseHolder, null))
      return sendOnce(taken, leaseHolder, round)
    }
    await delay(pauseMs)
  }
}

/** States of an operation that was certainly not sent. */
const neverBegun: ReadonlySet<OperationRow['state']> = new Set(['queued', 'not-sent', 'approved'])

const inFlight = globalSingleton<Map<string, Promise<Performed>>>('carddeskOperations', () => new Map())

/** One sender at a time in this process; other calls await the same promise. */
function sendOnce(row: OperationRow, leaseHolder: string, round: () => Promise<Verified>): Promise<Performed> {
  const facts = { operationId: row.id, environment: row.environment }
  const sending = traced(`operation ${row.kind}`, facts, async (add) => {
    const performed = await settle(row, leaseHolder, round)
    add({ state: performed.row.state })
    return performed
  }).finally(() => inFlight().delete(row.id))
  inFlight().set(row.id, sending)
  return sending
}

/** Sends and reads back under the lease. Open pages get one message about all that changed, after the outcome is written. */
async function settle(row: OperationRow, leaseHolder: string, round: () => Promise<Verified>): Promise<Performed> {
  const stopRenewing = renewLease(database(), row.id, leaseHolder)
  try {
    return await publishTogether(async () => {
      const { settlement, readBack } = await round()
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

/** Publishes what the operation may have changed to every open page. */
export function publishOperation(row: OperationRow): void {
  const approval = row.needsApproval ? [{ type: 'approvals' as const }] : []
  publish(row.environment, [
    { type: 'operation', id: row.id },
    ...approval,
    ...(findSpec(row.kind)?.changes(row) ?? []),
  ])
}
