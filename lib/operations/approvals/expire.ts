import 'server-only'
import { and, asc, eq, lte } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { targetOf } from '#lib/tables/schema.ts'
import { publishApproval } from './decide.ts'
import { subjects } from './subjects.ts'

const atOnce = 100

/** Closes requests that were not decided in time. Safe in several processes at once. */
export async function expireApprovals(): Promise<void> {
  const db = database()
  const due = await db
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(eq(approvals.state, 'waiting'), lte(approvals.expiresAt, new Date())))
    .orderBy(asc(approvals.expiresAt))
    .limit(atOnce)
  for (const { id } of due) {
    const expired = await inTransaction(db, async (tx) => {
      const [row] = await tx.select().from(approvals).where(eq(approvals.id, id)).for('update', { skipLocked: true })
      if (row?.state !== 'waiting') return null
      const message = 'It expired before a decision.'
      await subjects[row.subject].close(tx, row, 'expired', message)
      await tx
        .update(approvals)
        .set({ state: 'expired', decidedAt: new Date(), noticeDueAt: null })
        .where(eq(approvals.id, id))
      await appendAudit(tx, {
        by: null,
        environment: row.environment,
        act: 'approval.expire',
        target: targetOf(row),
        outcome: 'done',
        comment: row.effect,
        operationId: id,
      })
      return row
    })
    if (expired) publishApproval(expired)
  }
}
