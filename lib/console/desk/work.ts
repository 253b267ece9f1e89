import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { database, withPool } from '#lib/db/connection.ts'
import { atShutdown } from '#lib/shared/lifecycle.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { environments } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { runBulkJobs, stopBulkJobs } from '../bulk/run.ts'
import { deviationsWritten } from '../connection/deviations.ts'
import { applyInbox, stopApplying } from '../inbox/apply.ts'
import { inboxCountsWritten } from '../inbox/counts.ts'
import { stopScenarioRuns } from '../lab/scenario-runs.ts'
import { freshenPayoutsInBackground } from '../payouts/mirror.ts'
import { watchRates } from '../rates/past.ts'
import { rateReadingsDone } from '../rates/sample.ts'
import { requestsWritten } from '../requests/request-log.ts'
import { watchWebhooks } from '../webhooks/notices.ts'
import { expireApprovals } from './approvals/expire.ts'
import { sendApprovalNotices } from './approvals/notices.ts'
import { sendAuditEntries } from './audit/entry-sink.ts'
import { signAtShutdown, watchAuditLog } from './audit/integrity.ts'
import { writeRepeatedAttempts } from './audit/refused-attempts.ts'
import { notificationsWritten } from './live/publish.ts'
import { logFailure } from './log.ts'
import { freshenInBackground, readingsDone } from './mirror/freshness.ts'
import { settleUnknownOperations } from './operations/resolve.ts'
import { resealStored } from './reseal.ts'
import { applyRetention } from './retention.ts'
import { consoleSettings } from './settings.ts'

const roundMs = 5 * secondMs

const work = processWide('carddeskConsoleWork', () => ({ isStarted: false }))

/**
 * Starts the console's own work: settling outcomes that are not known, and keeping the mirror. It
 * stops with the server. Calling it twice starts it once.
 */
export function startConsoleWork(): void {
  if (work().isStarted) return
  work().isStarted = true
  const tasks = [
    repeat('settling operations', settleUnknownOperations),
    repeat('closing expired approvals', expireApprovals),
    repeat('sending notices of approvals', sendApprovalNotices),
    repeat('taking on bulk jobs', runBulkJobs),
    repeat('applying events', applyInbox),
    repeat('writing repeated attempts', () => writeRepeatedAttempts(database())),
    repeat('watching the audit log', watchAuditLog),
    repeat('sending audit entries', sendAuditEntries),
    repeat('sealing stored bytes again', resealStored),
    repeat('deleting what has expired', applyRetention),
    ...environments
      .filter((environment) => consoleSettings().services[environment])
      .flatMap((environment) => [
        repeat(`watching the webhooks of ${environment}`, () => watchWebhooks(environment)),
        repeat(`keeping the directory of ${environment}`, () => freshenInBackground(environment)),
        repeat(`keeping the payouts of ${environment}`, () => freshenPayoutsInBackground(environment)),
        repeat(`sampling the rates of ${environment}`, () => watchRates(environment)),
      ]),
  ]
  atShutdown('console work', async () => {
    await Promise.all([stopApplying(), ...tasks.map((stop) => stop())])
    await Promise.all([stopBulkJobs(), stopScenarioRuns(), inboxCountsWritten(), rateReadingsDone()])
    await notificationsWritten()
    await readingsDone()
    await deviationsWritten()
    await requestsWritten()
    await withPool('background', signAtShutdown)
  })
}

/** Repeats work, never twice at the same time; the returned function stops it and waits for the current round. */
function repeat(name: string, work: () => Promise<void>): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const rounds = async () => {
    while (!signal.aborted) {
      await delay(roundMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted)
        await withPool('background', work).catch((error: unknown) => logFailure(error, { while: name }))
    }
  }
  const done = rounds()
  return () => {
    stopping.abort()
    return done
  }
}
