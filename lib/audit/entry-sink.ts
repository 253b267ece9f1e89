import 'server-only'
import { randomUUID } from 'node:crypto'
import { asc, eq, gt, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { isFree, leaseEnd, makeLease } from '#lib/db/queue.ts'
import { auditSettings } from '#lib/settings/audit-settings.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { logFailure } from '#lib/shared/log.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { auditEntries, auditEntrySinks } from '#lib/tables/audit.ts'
import { entryLine } from './chain.ts'
import { postNotice, postTo } from './notify.ts'

const sink = 'https'
const entriesPerRequest = 500
/** A long backlog is sent in several rounds, so that a stop does not wait for it. */
const roundMs = 5 * secondMs
const lateMs = 15 * minuteMs
const longestPauseSeconds = 240

type SinkRow = typeof auditEntrySinks.$inferSelect

/**
 * Sends the audit entries that `AUDIT_ENTRIES_URL` does not have yet, in order and at least once, by one process at a time. After a
 * failure the next attempt comes after a pause that grows to four minutes; entries that are late are notified once.
 */
export async function sendAuditEntries(): Promise<void> {
  const url = auditSettings()?.entriesUrl
  if (!url) return
  const leaseHolder = randomUUID()
  const claimed = await claimSink(leaseHolder)
  if (!claimed) return
  const lease = makeLease(database(), auditEntrySinks, eq(auditEntrySinks.sink, sink), leaseHolder)
  const stopRenewing = lease.keep()
  let { sentNumber, failedAttempts, noticedAt } = claimed
  try {
    const untilMs = performance.now() + roundMs
    while (performance.now() < untilMs) {
      const rows = await entriesAfter(sentNumber, entriesPerRequest)
      const last = rows.at(-1)
      if (!last) break
      await postLines(url, rows.map(entryLine))
      // This process was too slow, and another one has the lease.
      if (!(await lease.write({ sentNumber: last.number }))) return
      sentNumber = last.number
    }
    failedAttempts = 0
  } catch (error) {
    failedAttempts += 1
    logFailure(error, { while: 'sending audit entries' })
  } finally {
    stopRenewing()
  }
  try {
    noticedAt = await notifyOfLag({ ...claimed, sentNumber })
  } catch (error) {
    logFailure(error, { while: 'sending a notice about audit entries' })
  }
  const pauseSeconds = failedAttempts === 0 ? 0 : Math.min(2 ** failedAttempts, longestPauseSeconds)
  await lease.release({ failedAttempts, noticedAt }, pauseSeconds)
}

/** One request with a line for each entry, so that the receiver can append it to a file as it is. */
function postLines(url: string, lines: readonly string[]): Promise<void> {
  return postTo('AUDIT_ENTRIES_URL', url, 'application/x-ndjson', `${lines.join('\n')}\n`)
}

/** Takes the sink's lease where entries wait for it and no process sends them. */
async function claimSink(leaseHolder: string): Promise<SinkRow | undefined> {
  const [claimed] = await database()
    .insert(auditEntrySinks)
    .values({ sink, leaseHolder, leaseUntil: leaseEnd })
    .onConflictDoUpdate({
      target: auditEntrySinks.sink,
      set: { leaseHolder, leaseUntil: leaseEnd },
      setWhere: sql`${isFree(auditEntrySinks)} and exists (
        select from ${auditEntries} where ${auditEntries.number} > ${auditEntrySinks.sentNumber})`,
    })
    .returning()
  return claimed
}

function entriesAfter(sentNumber: number, most: number) {
  const { number } = auditEntries
  return database().select().from(auditEntries).where(gt(number, sentNumber)).orderBy(asc(number)).limit(most)
}

/** Notifies people once when entries are late, and once when they arrive again. Returns when the first was sent. */
async function notifyOfLag({ sentNumber, startedAt, noticedAt }: SinkRow): Promise<Date | null> {
  const [oldest] = await entriesAfter(sentNumber, 1)
  if (!oldest) {
    if (noticedAt) await postNotice(`Audit entries arrive at AUDIT_ENTRIES_URL again. ${consoleSettings().consoleUrl}`)
    return null
  }
  const waitingSinceMs = Math.max(oldest.at.getTime(), startedAt.getTime())
  if (noticedAt || Date.now() - waitingSinceMs < lateMs) return noticedAt
  const since = new Date(waitingSinceMs).toISOString()
  await postNotice(
    `Audit entries from ${oldest.number} on have not reached AUDIT_ENTRIES_URL since ${since}. ${consoleSettings().consoleUrl}`,
  )
  return new Date()
}
