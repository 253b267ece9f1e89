import { and, eq } from 'drizzle-orm'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import { dueWork } from './tables/runtime.ts'

export type WorkKind = 'advance-payout' | 'capture-transaction' | 'produce-card'

/** The input of a performer. `now` is the due time, even where the work is done later. */
type Work = {
  db: Transaction
  now: Date
  subject: string
  payload: Readonly<Record<string, unknown>>
}

/**
 * Performs one piece of work in its transaction. If it throws, the transaction is rolled back and the work is retried
 * later.
 */
export type Performer = (work: Work) => Promise<void>

/**
 * Puts work on the calendar of the sandbox clock. `subject` is the id of what it is about: works of one subject are
 * performed one after the other, in order of their due times.
 */
export async function scheduleWork(
  db: Queryable,
  work: { kind: WorkKind; subject: string; dueAt: Date; payload?: Readonly<Record<string, unknown>> },
): Promise<void> {
  await db.insert(dueWork).values({ payload: {}, ...work })
}

/** Takes work of a kind and subject off the calendar. */
export async function cancelWork(db: Queryable, work: { kind: WorkKind; subject: string }): Promise<void> {
  await db.delete(dueWork).where(and(eq(dueWork.kind, work.kind), eq(dueWork.subject, work.subject)))
}
