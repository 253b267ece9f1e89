import 'server-only'
import { asc, eq } from 'drizzle-orm'
import { recordAudit } from '#lib/audit/chain.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { jobTarget, readItems, readJob } from '#lib/operations/bulk/record.ts'
import {
  bulkKinds,
  type BulkItem,
  type BulkJob,
  type FactColumn,
  isUnapproved,
  readFact,
  toRowText,
} from '#lib/operations/bulk/types.ts'
import { decimalText } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoDay, zonedIsoTime } from '#lib/shared/wall-clock.ts'
import { bulkItems } from '#lib/tables/bulk.ts'
import { csvResponse, csvText, type CsvCell, type FileFacts, parseZone } from '../export/write-csv.ts'
import { findJob, type BulkFilters } from './read.ts'

/** Every row of a job with its result, as a CSV file. Throws `BULK_JOB_NOT_FOUND`, `INVALID_PARAMETERS`. */
export async function bulkResultCsv(environment: Environment, jobId: string, search: BulkFilters): Promise<Response> {
  const { staff: by } = await requireCurrentStaff()
  const zone = parseZone(search.zone)
  const row = await findJob(environment, jobId)
  const db = database()
  const [read, items] = await inTransaction(
    db,
    async (tx) => [
      await readJob(tx, row),
      await readItems(
        tx,
        environment,
        await tx.select().from(bulkItems).where(eq(bulkItems.jobId, row.id)).orderBy(asc(bulkItems.position)),
      ),
    ],
    { isolationLevel: 'repeatable read' },
  )
  const target = jobTarget(row.id, row.title)
  await recordAudit(db, { by, environment, act: 'export.read', target, outcome: 'done' })
  const job = await maskForReader(read, environment)
  const columns = bulkKinds[row.kind].facts
  const text = csvText([csvHeader(columns), ...items.map((item) => toCsvRow(item, job, zone))])
  const name = `bulk-job-${isoDay(row.createdAt, zone)}-${row.id.slice(0, 8)}`
  return csvResponse(name, listFacts(job, zone), (start) => `${start}${text}`)
}

function listFacts(job: BulkJob, zone: string): FileFacts {
  const { counts, by, approval } = job
  const began = isUnapproved(job) ? 'Requested' : 'Started'
  const decider = approval?.by && `by ${approval.by.name} (${approval.by.role})`
  const open = counts.waiting + counts.running
  return [
    ['Bulk job', `${job.title} (${job.environment})`],
    ['Job id', job.id],
    [`${began} by`, `${by.name} (${by.role})`],
    ['Approval', approval && [approval.state, decider].filter(Boolean).join(' ')],
    [began, zonedIsoTime(job.createdAt, zone)],
    ['Finished', job.finishedAt && zonedIsoTime(job.finishedAt, zone)],
    ['Time zone', zone],
    ['Reason', job.reason],
    ['State', job.state],
    ['Rows', job.total],
    ['Done', counts.done],
    ['Refused', counts.refused],
    ['Outcome not known', counts.unknown],
    ['Not started', counts.cancelled],
    ['Not finished yet', open],
    ['Complete', completeness(job, open)],
  ]
}

function completeness({ counts }: BulkJob, open: number): string {
  if (open > 0) return `NO: ${open === 1 ? '1 row has' : `${open} rows have`} no final result yet`
  if (counts.unknown > 0) return `NO: the outcome of ${counts.unknown} rows is not known`
  return 'yes, every row with its final result'
}

function csvHeader(columns: readonly FactColumn[]): CsvCell[] {
  const facts = columns.map(({ name }) => name)
  return [
    'Row',
    'Result',
    ...facts,
    'On',
    'On id',
    'Account id',
    'Code',
    'What happened',
    'Request',
    'Operation',
    'Settled',
  ]
}

function toCsvRow(item: BulkItem, job: BulkJob, zone: string): CsvCell[] {
  const { target, facts } = item
  const columns: readonly FactColumn[] = bulkKinds[job.kind].facts
  return [
    facts.line ?? item.position,
    item.state,
    ...columns.map(({ key, isAmount }) => {
      const fact = readFact(facts, key)
      return isAmount && fact ? decimalText(fact, facts.currency ?? null) : fact
    }),
    target.type,
    target.id,
    target.type === 'cardaccount' ? target.id : target.parentId,
    item.code,
    toRowText(job, item),
    item.requestId,
    item.operationId,
    item.settledAt && zonedIsoTime(item.settledAt, zone),
  ]
}
