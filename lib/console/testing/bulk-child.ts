import { setTimeout as delay } from 'node:timers/promises'
import { isNull } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { runBulkJobs } from '#lib/operations/bulk/run.ts'
import { bulkJobs } from '#lib/tables/bulk.ts'
import '../operation-table.ts'
import { reportReady } from './report-ready.ts'

/** A console process of its own that drives the bulk jobs of its database, until they are finished or it is killed. */
reportReady()
for (;;) {
  await runBulkJobs()
  const open = await database().select({ id: bulkJobs.id }).from(bulkJobs).where(isNull(bulkJobs.finishedAt))
  if (open.length === 0) break
  await delay(20)
}
process.exit(0)
