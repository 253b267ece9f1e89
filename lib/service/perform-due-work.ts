import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#lib/db/connection.ts'
import { backOff, inSeconds, lockNextDue } from '#lib/db/queue.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { errorOfIssues } from './api-error.ts'
import { produceCard } from './card-changes.ts'
import { joinClockLock, withClockLock } from './clock-lock.ts'
import { moveClockTo, moveClockUnlessWorkIsDue, nowMs, readSandboxNow, setFrozen } from './clock.ts'
import type { Performer, WorkKind } from './due-work.ts'
import { captureTransaction } from './ledger/fees.ts'
import { logFailure } from './log.ts'
import { advancePayout } from './payouts/payout-steps.ts'
import { dueWork, performedWork } from './tables/runtime.ts'
import type { Deliveries } from './webhooks/deliveries.ts'

type Performers = Readonly<Record<string, Performer>>
type DueRow = typeof dueWork.$inferSelect

/** Distinguishes a performer's failure, which is stored for another attempt, from one of the database. */
class PerformerFailed extends Error {
  readonly workId: number
  constructor(workId: number, cause: unknown) {
    super('due work failed', { cause })
    this.workId = workId
  }
}

/** Performs what is due by the sandbox clock, one piece a transaction, until nothing is left. Returns how many were performed. */
export async function performDueWork(db: Database, by: Performers = performers): Promise<number> {
  if (!(await hasDueWork(db))) return 0
  const take: Take = async (tx) => ((await joinClockLock(tx)) ? takeDue(tx, nowMs) : undefined)
  let performed = 0
  for (;;) {
    const outcome = await performNext(db, by, take)
    if (outcome === 'nothing due') return performed
    if (outcome === 'performed') performed += 1
  }
}

/** Finds the due work. A poll is this one statement while nothing is due. */
async function hasDueWork(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ isDue: boolean }>(sql`
    select exists (
      select from service.due_work
      where due_at <= to_timestamp(${nowMs} / 1000.0) and (retry_at is null or retry_at <= clock_timestamp())
    ) as "isDue"`)
  return rows[0]?.isDue ?? false
}

/** Later instants have five digits in their year, which neither ISO 8601 nor the database reads without a sign. */
const latestClock = new Date('9999-12-31T00:00:00Z')

/** Where the clock goes, by a time or to an instant, and whether it stands from then on. What is left out stays as it is. */
type ClockMove = { byMs?: number | undefined; to?: Date | undefined; freeze?: boolean | undefined }

/**
 * Moves the sandbox clock forward, from one due time to the next: each piece of work is performed while the clock is
 * at its due time, so no process sees a later one first, and attempts at deliveries come in between at theirs. Returns how
 * many of both were performed. Throws `INVALID_PARAMETERS`, with nothing moved or stopped, where the clock would go back or beyond
 * the year 9999.
 */
export async function advanceClock(
  db: Database,
  move: ClockMove,
  { deliveries, by = performers }: { deliveries?: Deliveries; by?: Performers } = {},
): Promise<{ now: Date; performed: number }> {
  return withClockLock(db, async () => {
    const { movedFrom, target } = await beginMove(db, move)
    const performed = target > movedFrom ? await performUntil(db, { movedFrom, target }, { deliveries, by }) : 0
    if (move.freeze === false) await setFrozen(db, false)
    return { now: await readSandboxNow(db), performed }
  })
}

/** Moves the clock to `target`, and performs what is due on the way. Returns how many. */
async function performUntil(
  db: Database,
  { movedFrom, target }: { movedFrom: Date; target: Date },
  { deliveries, by }: { deliveries: Deliveries | undefined; by: Performers },
): Promise<number> {
  let performed = 0
  for (;;) {
    const delivered = await deliveries?.performDue({ movedFrom, isLast: false })
    performed += delivered?.performed ?? 0
    const nextDelivery = delivered?.nextDueAt
    const until = nextDelivery && nextDelivery < target ? nextDelivery : target
    if (!(await moveClockUnlessWorkIsDue(db, until))) {
      const outcome = await performNext(db, by, (tx) => takeUntil(tx, until))
      if (outcome === 'performed') performed += 1
      if (outcome !== 'nothing due') continue
      await moveClockTo(db, until)
    }
    if (until === target) break
  }
  await moveClockTo(db, target)
  const last = await deliveries?.performDue({ movedFrom, isLast: true })
  return performed + (last?.performed ?? 0)
}

/** Where a move begins and ends. A clock that is to stand is stopped first: it then stands exactly where the move ends. */
function beginMove(db: Database, { byMs = 0, to, freeze }: ClockMove): Promise<{ movedFrom: Date; target: Date }> {
  return inTransaction(db, async (tx) => {
    if (freeze === true) await setFrozen(tx, true)
    const movedFrom = await readSandboxNow(tx)
    const target = to ?? new Date(movedFrom.getTime() + byMs)
    const now = movedFrom.toISOString()
    if (target < movedFrom) throw refusedMove('to', `must not be before the sandbox clock, which is ${now}`)
    if (target > latestClock) {
      const message = `must not move the clock beyond ${latestClock.toISOString()}; it is ${now} now`
      throw refusedMove(to ? 'to' : 'advance', message)
    }
    return { movedFrom, target }
  })
}

function refusedMove(path: string, message: string): Error {
  return errorOfIssues([{ path, message }])
}

/** The next piece that is due until then, with the clock moved to its due time. */
async function takeUntil(tx: Transaction, until: Date): Promise<DueRow | undefined> {
  const row = await takeDue(tx, sql`${until.getTime()}::bigint`)
  if (row) await moveClockTo(tx, row.dueAt)
  return row
}

/** The next piece that is due, locked. Works of one subject wait for each other; one that failed waits for its next attempt. */
async function takeDue(tx: Transaction, untilMs: SQL): Promise<DueRow | undefined> {
  const { subject, dueAt, id, retryAt } = dueWork
  const due = sql`${dueAt} <= to_timestamp(${untilMs} / 1000.0)
    and (${retryAt} is null or ${retryAt} <= clock_timestamp())
    and not exists (
      select from service.due_work earlier
      where earlier.subject = ${subject} and (earlier.due_at, earlier.id) < (${dueAt}, ${id})
    )`
  return lockNextDue(tx, dueWork, { due, order: sql`${dueAt}, ${id}` })
}

type Take = (tx: Transaction) => Promise<DueRow | undefined>

async function performNext(db: Database, by: Performers, take: Take): Promise<'performed' | 'failed' | 'nothing due'> {
  try {
    return await inTransaction(db, async (tx) => {
      const row = await take(tx)
      if (!row) return 'nothing due'
      await perform(tx, by, row)
      await tx.execute(sql`
        with done as (delete from ${dueWork} where id = ${row.id} returning kind, subject, due_at)
        insert into ${performedWork} (kind, subject, due_at) select kind, subject, due_at from done`)
      return 'performed'
    })
  } catch (error) {
    if (!(error instanceof PerformerFailed)) throw error
    logFailure(error, { work: String(error.workId) })
    await postpone(db, error.workId)
    return 'failed'
  }
}

async function perform(tx: Transaction, by: Performers, { id, kind, subject, dueAt }: DueRow): Promise<void> {
  try {
    const performer = by[kind]
    if (!performer) throw new Error(`no performer for work of the kind ${kind}`)
    await performer({ db: tx, now: dueAt, subject })
  } catch (error) {
    throw new PerformerFailed(id, error)
  }
}

const longestRetrySeconds = 300

/** Another attempt after 1 s, 2 s, 4 s … of real time, at most every 5 minutes. */
async function postpone(db: Database, id: number): Promise<void> {
  await db
    .update(dueWork)
    .set({
      failures: sql`${dueWork.failures} + 1`,
      retryAt: inSeconds(backOff(dueWork.failures, { most: longestRetrySeconds })),
    })
    .where(eq(dueWork.id, id))
}

/** The performer of each kind of due work. A new kind is a row here. */
const performers = {
  'advance-payout': advancePayout,
  'capture-transaction': captureTransaction,
  'produce-card': produceCard,
} satisfies Record<WorkKind, Performer>
