import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { sendAuditEntries } from '#lib/audit/entry-sink.ts'
import { signAtShutdown, watchAuditLog } from '#lib/audit/integrity.ts'
import { writeRepeatedAttempts } from '#lib/audit/refused-attempts.ts'
import { feeFreshness } from '#lib/console/fees/fee-freshness.ts'
import { watchFunding } from '#lib/console/funding-thresholds.ts'
import { applyInbox, stopApplying } from '#lib/console/inbox/apply.ts'
import { inboxCountsWritten } from '#lib/console/inbox/counts.ts'
import { ledgerFreshness } from '#lib/console/ledger/index-ledger.ts'
import { payoutFreshness } from '#lib/console/payouts/index-payouts.ts'
import { watchRates } from '#lib/console/rates/past.ts'
import { rateReadingsDone } from '#lib/console/rates/sample.ts'
import { watchWebhooks } from '#lib/console/webhooks/notices.ts'
import { database, withPool } from '#lib/db/connection.ts'
import { deviationsWritten } from '#lib/environments/deviations.ts'
import { requestsWritten } from '#lib/environments/request-log.ts'
import { freshenInBackground, indexTransactionsInBackground } from '#lib/index/freshness.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { expireApprovals } from '#lib/operations/approvals/expire.ts'
import { sendApprovalNotices } from '#lib/operations/approvals/notices.ts'
import { noteContents } from '#lib/operations/approvals/sandbox-contents.ts'
// Registers the operations, which lib/operations finds by their kind.
import '#lib/console/operation-table.ts'
import { runBulkJobs, stopBulkJobs } from '#lib/operations/bulk/run.ts'
import { settleUnknownOperations } from '#lib/operations/settle-due.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { atShutdown } from '#lib/shared/lifecycle.ts'
import { logFailure } from '#lib/shared/log.ts'
import { environments } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { resealStored } from './reseal.ts'
import { applyRetention } from './retention.ts'

const roundMs = 5 * secondMs

const work = globalSingleton('carddeskConsoleWork', () => ({ isStarted: false }))

/** Starts the work that the console repeats by itself. It stops with the server. Calling it twice starts it once. */
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
        repeat(`watching the contents of ${environment}`, () => noteContents(environment)),
        repeat(`keeping the index of ${environment}`, () => freshenInBackground(environment)),
        repeat(`indexing the transactions of ${environment}`, () => indexTransactionsInBackground(environment)),
        repeat(`keeping the fees of ${environment}`, () => feeFreshness.inBackground(environment)),
        repeat(`keeping the payouts of ${environment}`, () => payoutFreshness.inBackground(environment)),
        repeat(`keeping the ledger of ${environment}`, () => ledgerFreshness.inBackground(environment)),
        repeat(`watching the funding of ${environment}`, () => watchFunding(environment)),
        repeat(`sampling the rates of ${environment}`, () => watchRates(environment)),
      ]),
  ]
  atShutdown('console work', async () => {
    await Promise.all([stopApplying(), ...tasks.map((stop) => stop())])
    await Promise.all([stopBulkJobs(), inboxCountsWritten(), rateReadingsDone()])
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
