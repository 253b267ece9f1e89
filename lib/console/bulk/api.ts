import 'server-only'
import { bulkReads } from '#lib/api/bulk.ts'
import { implement } from '#lib/gate/implement.ts'
import { listBulkJobs, readBulkJob } from './read.ts'
import { bulkResultCsv } from './result-csv.ts'

export const bulkApi = implement(bulkReads, { listBulkJobs, readBulkJob, bulkResultCsv })
