import 'server-only'
import { and, eq, gte, isNull, lte, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { pageByNumber } from '../keyset.ts'
import { pageSize, parseSearch, plainText } from '../parse.ts'
import { requirePermission } from '../session/session.ts'
import { auditDetailNames, type AuditDetails, type AuditEntry, type AuditFacts } from '../shapes.ts'
import { auditEntries, consoleRequestIdIn } from '../tables/audit.ts'
import { operations } from '../tables/operations.ts'
import { serviceRequests } from '../tables/requests.ts'
import { readAuditFacts } from './facts.ts'

type AuditRow = typeof auditEntries.$inferSelect

export type AuditPage = { entries: AuditEntry[]; prevPageToken: string | null; nextPageToken: string | null }

const dateTime = z.iso
  .datetime({ offset: true, error: 'must be a date-time with a time zone' })
  .transform((text) => new Date(text))

const AuditFilters = z
  .object({
    /** Id of the member of staff who acted. */
    by: z.uuid('must be a UUID'),
    act: plainText(64),
    outcome: z.enum(['done', 'partial', 'refused', 'unknown'], 'must be one of done, partial, refused, unknown'),
    targetId: plainText(256),
    operationId: z.uuid('must be a UUID'),
    /** Of the service's response, or of the console's own. */
    requestId: plainText(200),
    /** The same person had acted on the same object before, or acted on their own access. */
    own: z.literal('true', 'must be true'),
    dateRangeFrom: dateTime,
    dateRangeTo: dateTime,
    pageSize,
    pageToken: plainText(2000),
  })
  .partial()

export type AuditFilters = Omit<z.input<typeof AuditFilters>, 'outcome' | 'own'> & {
  outcome?: string | undefined
  own?: string | undefined
}

/** Entries of an environment and those that belong to none, newest first. */
export async function listAudit(environment: Environment, search: AuditFilters): Promise<AuditPage> {
  await requirePermission('audit.read', environment)
  const { pageSize: size = 50, pageToken: token, ...filters } = parseSearch(AuditFilters, search)
  const { number, at } = auditEntries
  const { rows, ...tokens } = await pageByNumber(
    number,
    'desc',
    { scope: ['audit', environment, filters], token, size },
    (row: AuditRow) => row.number,
    ({ condition, order, limit }) =>
      database()
        .select()
        .from(auditEntries)
        .where(
          and(
            or(eq(auditEntries.environment, environment), isNull(auditEntries.environment)),
            filters.by ? eq(auditEntries.staffId, filters.by) : undefined,
            filters.act ? eq(auditEntries.act, filters.act) : undefined,
            filters.outcome ? eq(auditEntries.outcome, filters.outcome) : undefined,
            filters.targetId ? isAbout(environment, filters.targetId) : undefined,
            filters.operationId ? eq(auditEntries.operationId, filters.operationId) : undefined,
            filters.requestId ? hasRequestId(filters.requestId) : undefined,
            filters.own ? isOnOwnObject : undefined,
            filters.dateRangeFrom ? gte(at, filters.dateRangeFrom) : undefined,
            filters.dateRangeTo ? lte(at, filters.dateRangeTo) : undefined,
            condition,
          ),
        )
        .orderBy(...order)
        .limit(limit),
  )
  return { entries: await withRequested(environment, rows), ...tokens }
}

/** A read, and a refused attempt before it, do not count: they changed nothing. */
const isOnOwnObject = sql`${auditEntries.targetId} is not null and ${auditEntries.act} <> 'data.read' and (
  ${auditEntries.targetId} = ${auditEntries.staffId}::text or exists (
    select 1 from ${auditEntries} before where before.target_id = ${auditEntries.targetId}
      and before.staff_id = ${auditEntries.staffId} and before.number < ${auditEntries.number}
      and before.outcome in ('done', 'partial') and before.act <> 'data.read'))`

/** Entries on an object, and that of the operation which made it: a payout has no id before. */
function isAbout(environment: Environment, targetId: string) {
  const { id, resultId } = operations
  return or(
    eq(auditEntries.targetId, targetId),
    sql`${auditEntries.operationId} in (
      select ${id} from ${operations} where ${operations.environment} = ${environment} and ${resultId} = ${targetId})`,
  )
}

/** The console's own id is within the details, an operation's service ids in its request log. */
function hasRequestId(requestId: string) {
  return or(
    eq(auditEntries.requestId, requestId),
    sql`${auditEntries.operationId} in (select operation_id from ${serviceRequests} where request_id = ${requestId})`,
    isUuid(requestId) ? sql`${consoleRequestIdIn(auditEntries.details)} = ${requestId.toLowerCase()}` : undefined,
  )
}

/** Entries of the environment, or of none, with their facts. */
export async function withRequested(environment: Environment, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const facts = await readAuditFacts(environment, rows)
  return rows.map((row) => ({ ...entryOf(row), facts: facts.get(row.number) ?? noFacts }))
}

const noFacts: AuditFacts = { account: null, limit: null, address: null, bodySha256: null, resultId: null }

function entryOf(row: AuditRow): Omit<AuditEntry, 'facts'> {
  const { staffId, staffName, staffRole, targetType, targetId, targetParentId, targetLabel } = row
  return {
    number: row.number,
    at: row.at.toISOString(),
    by: staffId && staffName ? { id: staffId, name: staffName, role: staffRole } : null,
    environment: row.environment,
    act: row.act,
    target:
      targetType && targetId ? { type: targetType, id: targetId, parentId: targetParentId, label: targetLabel } : null,
    outcome: row.outcome,
    code: row.code,
    reason: row.reason,
    comment: row.comment,
    operationId: row.operationId,
    requestId: row.requestId,
    details: detailsOf(row.details),
    hash: row.hash,
  }
}

const Details = z.partialRecord(z.enum(auditDetailNames), z.string())

/** The facts of the column; none of a text that was tampered with and is no JSON. */
function detailsOf(text: string | null): AuditDetails {
  try {
    return Details.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
