import { and, eq } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import type { ServiceWrite } from './clock.ts'
import { dueWork } from './tables/runtime.ts'

export type WorkKind = 'advance-payout' | 'capture-transaction' | 'produce-card'

/**
 * Performs one piece of work in its transaction; `now` is the due time, even where the work is done later. If it throws,
 * the transaction is rolled back and the work is retried later.
 */
export type Performer = (work: ServiceWrite & { subject: string }) => Promise<void>

/**
 * Puts work on the calendar of the sandbox clock. `subject` is the id of what it is about: works of one subject are
 * performed one after the other, in order of their due times.
 */
export async function scheduleWork(
  { db, now }: { db: Queryable; now: Date },
  { kind, subject, afterMs }: { kind: WorkKind; subject: string; afterMs: number },
): Promise<void> {
  await db.insert(dueWork).values({ kind, subject, dueAt: new Date(now.getTime() + afterMs), payload: {} })
}

/** Takes work of a kind and subject off the calendar. */
export async function cancelWork(db: Queryable, work: { kind: WorkKind; subject: string }): Promise<void> {
  await db.delete(dueWork).where(and(eq(dueWork.kind, work.kind), eq(dueWork.subject, work.subject)))
}
