import 'server-only'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { escapedForNotice, noticeAttempts, noticeRetryAt, notifyUrl, postNotice } from '#lib/audit/notify.ts'
import { database } from '#lib/db/connection.ts'
import { claimDue } from '#lib/db/queue.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { logFailure } from '#lib/shared/log.ts'
import { routes } from '#lib/shared/routes.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { approvalTopics } from './policy-rules.ts'

const atOnce = 20

/**
 * Sends one notice for each waiting request; after a failure again, with growing pauses. It names no beneficiary, only
 * a link to the page. After a crash just before it is recorded as sent, it may be sent twice.
 */
export async function sendApprovalNotices(): Promise<void> {
  if (!notifyUrl()) return
  const db = database()
  const rows = await claimDue(db, approvals, {
    key: [approvals.id],
    due: sql`${approvals.noticeDueAt} <= clock_timestamp() and ${approvals.state} = 'waiting' and ${approvals.noticeAttempts} < ${noticeAttempts}`,
    order: sql`${approvals.createdAt}`,
    limit: atOnce,
    set: {
      noticeAttempts: sql`${approvals.noticeAttempts} + 1`,
      noticeDueAt: noticeRetryAt(approvals.noticeAttempts),
    },
  })
  for (const { id, environment, topic, makerName, expiresAt } of rows) {
    try {
      const page = `${consoleSettings().consoleUrl}${routes.approval(environment, id)}`
      const what = `${approvalTopics[topic].one} by ${escapedForNotice(makerName)}`
      await postNotice(`[${environment}] ${what} waits for approval until ${expiresAt.toISOString()}. ${page}`)
      await db
        .update(approvals)
        .set({ noticeDueAt: null })
        .where(and(eq(approvals.id, id), isNotNull(approvals.noticeDueAt)))
    } catch (error) {
      logFailure(error, { while: 'sending a notice', approval: id })
    }
  }
}
