import 'server-only'
import { asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/audit/types.ts'
import { requestSha256 } from '#lib/client/approved-request.ts'
import { database, type Queryable } from '#lib/db/connection.ts'
import { prepareRequest } from '#lib/environments/environments.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { bulkItems } from '#lib/tables/bulk.ts'
import { openTerms } from '../approvals/grant.ts'
import type { ApprovalRow } from '../approvals/request.ts'
import type { ItemRow } from './rows.ts'

/** The sealed grant of a job: the digest of its rows and, once it is approved, by whom. */
export type JobTerms = { rowsSha256: string; by?: Actor['id']; at?: string }

/** The terms of a job's approval; null where there are none or they were altered. */
export function openJobTerms({ id, sealedTerms }: ApprovalRow): JobTerms | null {
  const bytes = sealedTerms && openTerms(id, sealedTerms)
  return bytes ? (JSON.parse(bytes.toString('utf8')) as JobTerms) : null
}

type Row = Pick<ItemRow, 'position' | 'endpoint' | 'body'>

/** The digest of the request of each row, by its position. */
function rowDigests(environment: Environment, rows: readonly Row[]): Map<number, string> {
  return new Map(
    rows.map(({ position, endpoint, body }) => [position, requestSha256(prepareRequest(environment, endpoint, body))]),
  )
}

/** SHA-256 over a line for each row in order: its position, a space and the digest of its request. */
export function rowsSha256(environment: Environment, rows: readonly Row[]): string {
  return sha256Hex([...rowDigests(environment, rows)].map(([position, digest]) => `${position} ${digest}\n`).join(''))
}

export async function readApprovedRows(db: Queryable, jobId: string): Promise<Row[]> {
  const { position, endpoint, body } = bulkItems
  return db
    .select({ position, endpoint, body })
    .from(bulkItems)
    .where(eq(bulkItems.jobId, jobId))
    .orderBy(asc(position))
}

/**
 * The digests of the requests that were approved, by position. `not-needed`: no policy applied when the job was started.
 * `refused`: it is not approved, or its rows are not those that were.
 */
export async function readApprovedDigests(
  environment: Environment,
  jobId: string,
): Promise<ReadonlyMap<number, string> | 'not-needed' | 'refused'> {
  const db = database()
  const [approval] = await db.select().from(approvals).where(eq(approvals.id, jobId))
  if (!approval) return 'not-needed'
  const terms = openJobTerms(approval)
  if (approval.state !== 'approved' || terms?.by === undefined) return 'refused'
  const rows = await readApprovedRows(db, jobId)
  if (terms.rowsSha256 !== rowsSha256(environment, rows)) return 'refused'
  return rowDigests(environment, rows)
}
