import type { BulkJob } from '#lib/operations/bulk/types.ts'
import { defineReads, every, list, once } from './read.ts'

export const bulkReads = defineReads({
  listBulkJobs: {
    path: 'bulk-jobs',
    needs: 'accounts.read',
    poll: { ...list, staleAfter: 1_000 },
    staleOn: { 'bulk-job': true },
  },
  readBulkJob: {
    path: 'bulk-jobs/[jobId]',
    needs: 'accounts.read',
    poll: {
      every: every<{ job: BulkJob }>(({ job }) => (job.finishedAt === null ? 5_000 : false)),
      staleAfter: 500,
      keepsRows: true,
    },
    staleOn: { 'bulk-job': ({ id }) => [id] },
  },
  bulkResultCsv: { path: 'bulk-jobs/[jobId]/csv', needs: 'accounts.read', poll: once },
})
