import 'server-only'
import { bulkReads } from '#lib/api/bulk.ts'
import { implement } from '#lib/gate/implement.ts'
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from './control.ts'
import { listBulkJobs, readBulkJob } from './read.ts'
import { bulkResultCsv } from './result-csv.ts'
import { previewJob, startJob } from './start.ts'

export const bulkApi = implement(bulkReads, { listBulkJobs, readBulkJob, bulkResultCsv })

export const bulkHandlers = { previewJob, startJob, pauseBulkJob, resumeBulkJob, cancelBulkJob }
