import {
  bulkItemStates,
  type BulkJob,
  type BulkKind,
  bulkKinds,
  bulkStatesInDetail,
} from '#lib/operations/bulk/types.ts'
import { defineActions } from './action.ts'
import { defineReads, every, list, noPolling } from './read.ts'
import { choice, defineSearch } from './search.ts'

export const bulkJobSearch = defineSearch({
  state: choice(...bulkStatesInDetail),
  kind: choice(...(Object.keys(bulkKinds) as BulkKind[])),
})

/** The rows of one job. */
export const bulkItemSearch = defineSearch({ state: choice(...bulkItemStates) })

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
  bulkResultCsv: { path: 'bulk-jobs/[jobId]/csv', needs: 'accounts.read', poll: noPolling },
})

const kinds: BulkKind[] = ['card.suspend', ...(Object.keys(bulkKinds) as BulkKind[])]
/** The first is what an unknown kind needs. */
const jobPermissions = Object.fromEntries(kinds.map((kind) => [kind, bulkKinds[kind].permission]))
const ofKind = {
  needs: { by: 'kind', of: jobPermissions },
  act: { by: 'kind', of: Object.fromEntries(Object.keys(jobPermissions).map((kind) => [kind, { act: kind }])) },
} as const

// Pause, resume and cancel: their body checks the permission of the job's own kind.
const ofJob = { needs: 'accounts.read', changes: ['bulk-jobs'] } as const

export const bulkActions = defineActions({
  previewJob: ofKind,
  startJob: { ...ofKind, changes: ['bulk-jobs'] },
  pauseBulkJob: { ...ofJob, act: 'bulk.pause', label: 'Pause bulk job' },
  resumeBulkJob: { ...ofJob, act: 'bulk.resume', label: 'Resume bulk job' },
  cancelBulkJob: { ...ofJob, act: 'bulk.cancel', label: 'Cancel bulk job' },
})
