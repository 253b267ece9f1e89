import 'server-only'
import { and, eq, lte, sql } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import { database } from '#lib/db/connection.ts'
import { lockDue } from '#lib/db/queue.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { publishApproval } from './decide.ts'
import { subjects } from './subjects.ts'

/** Closes requests that were not decided in time. Safe in several processes at once. */
export async function expireApprovals(): Promise<void> {
  const due = and(eq(approvals.state, 'waiting'), lte(approvals.expiresAt, sql`clock_timestamp()`))
  for (;;) {
    const expired = await inTransaction(database(), async (tx) => {
      const [row] = await lockDue(tx, approvals, { due, order: sql`${approvals.expiresAt}`, limit: 1 })
      if (!row) return null
      const message = 'It expired before a decision.'
      await subjects[row.subject].close(tx, row, 'expired', message)
      await tx
        .update(approvals)
        .set({ state: 'expired', decidedAt: new Date(), noticeDueAt: null })
        .where(eq(approvals.id, row.id))
      await appendAudit(tx, {
        by: null,
        environment: row.environment,
        act: 'approval.expire',
        target: toTarget(row),
        outcome: 'done',
        comment: row.effect,
        operationId: row.id,
      })
      return row
    })
    if (!expired) return
    publishApproval(expired)
  }
}
