import 'server-only'
import { and, eq, lte, sql } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { lockNextDue } from '#lib/db/queue.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { type ApprovalRow, publishApproval } from './request.ts'
import { subjects } from './subjects.ts'

/** Closes requests that were not decided in time. Safe in several processes at once. */
export async function expireApprovals(): Promise<void> {
  const due = and(eq(approvals.state, 'waiting'), lte(approvals.expiresAt, sql`clock_timestamp()`))
  for (;;) {
    const expired = await inTransaction(database(), async (tx) => {
      const row = await lockNextDue(tx, approvals, { due, order: sql`${approvals.expiresAt}` })
      if (row) await expire(tx, row, 'It expired before a decision.')
      return row
    })
    if (!expired) return
    publishApproval(expired)
  }
}

/**
 * Closes every waiting request of a sandbox whose contents were replaced: their ids may be those of other records now. Returns them, to
 * be published after the commit.
 */
export async function expireReplaced(tx: Transaction, environment: Environment): Promise<ApprovalRow[]> {
  const isWaiting = and(eq(approvals.environment, environment), eq(approvals.state, 'waiting'))
  const rows = await tx.select().from(approvals).where(isWaiting).orderBy(approvals.id).for('update')
  for (const row of rows) await expire(tx, row, 'The sandbox was reset before a decision.')
  return rows
}

async function expire(tx: Transaction, row: ApprovalRow, message: string): Promise<void> {
  await subjects[row.subject].close(tx, row, 'expired', message)
  await tx
    .update(approvals)
    .set({ state: 'expired', decidedAt: new Date(), decisionReason: message, noticeDueAt: null })
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
}
