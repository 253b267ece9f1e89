import 'server-only'
import { and, desc, eq, inArray, isNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { indexDatabase } from '#lib/db/connection.ts'
import { escapeLike } from '#lib/index/conditions.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { auditEntries, consoleRequestIdIn } from '#lib/tables/audit.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import { type Hit, mayBeId, mostOfAKind, type Query } from './query.ts'

/** By an end of its id, a request is found among so many of the newest: people ask about what they have just seen. */
const mostRecent = 2_000

/** A whole id, or an end of one such as `5a10` of `5a10…b994`; a number of four digits is more often a card's last four. */
const isIdOrEnd = (q: string) => mayBeId(q) || /^(?=.*\d)(?=.*[a-f])[0-9a-f]{4,}$/i.test(q)

/** The requests to the service by their id at the service or in the console, whole or an end of it. */
export async function findRequests({ environment, q }: Query): Promise<Hit[]> {
  if (!isIdOrEnd(q)) return []
  const { id, method, path, status, requestId, consoleRequestId } = serviceRequests
  const spellings = [...new Set([q, q.toLowerCase()])]
  const isOfEnvironment = eq(serviceRequests.environment, environment)
  const columns = { id, method, path, status, requestId, consoleRequestId }
  const whole = await indexDatabase()
    .select(columns)
    .from(serviceRequests)
    .where(and(isOfEnvironment, or(inArray(requestId, spellings), inArray(consoleRequestId, spellings))))
    .orderBy(desc(id))
    .limit(mostOfAKind)
  const recent = indexDatabase()
    .select(columns)
    .from(serviceRequests)
    .where(isOfEnvironment)
    .orderBy(desc(id))
    .limit(mostRecent)
    .as('recent')
  const rows =
    whole.length > 0
      ? whole
      : await indexDatabase()
          .select()
          .from(recent)
          .where(or(hasEnd(recent.requestId, spellings), hasEnd(recent.consoleRequestId, spellings)))
          .orderBy(desc(recent.id))
          .limit(mostOfAKind)
  return rows.map((row) => ({
    id: String(row.id),
    label: `${row.method} ${row.path}`,
    hint: row.status === null ? 'No response' : String(row.status),
    status: null,
  }))
}

function hasEnd(column: SQLWrapper, ends: readonly string[]): SQL | undefined {
  const patterns = ends.map(escapeLike).flatMap((end) => [`${end}%`, `%${end}`])
  return or(...patterns.map((pattern) => sql`${column} like ${pattern}`))
}

/** The audit entries by a request, by its id at the service or in the console, whole or an end of it, or by an operation. */
export async function findAuditEntries({ environment, q }: Query): Promise<Hit[]> {
  if (!isIdOrEnd(q)) return []
  const { number, act, targetLabel, outcome, requestId, operationId, details, environment: ofEntry } = auditEntries
  const spellings = [...new Set([q, q.toLowerCase()])]
  const isOfEnvironment = or(eq(ofEntry, environment), isNull(ofEntry))
  const consoleRequestId = consoleRequestIdIn(details)
  const columns = { number, act, targetLabel, outcome }
  const isWhole = or(
    inArray(requestId, spellings),
    inArray(consoleRequestId, spellings),
    isUuid(q) ? eq(operationId, q.toLowerCase()) : undefined,
  )
  const whole = await indexDatabase()
    .select(columns)
    .from(auditEntries)
    .where(and(isOfEnvironment, isWhole))
    .orderBy(desc(number))
    .limit(mostOfAKind)
  const recent = indexDatabase()
    .select({ ...columns, requestId, consoleRequestId: consoleRequestId.as('console_request_id') })
    .from(auditEntries)
    .where(isOfEnvironment)
    .orderBy(desc(number))
    .limit(mostRecent)
    .as('recent')
  const rows =
    whole.length > 0
      ? whole
      : await indexDatabase()
          .select()
          .from(recent)
          .where(or(hasEnd(recent.requestId, spellings), hasEnd(recent.consoleRequestId, spellings)))
          .orderBy(desc(recent.number))
          .limit(mostOfAKind)
  return rows.map((row) => ({
    id: String(row.number),
    label: row.act,
    hint: row.targetLabel,
    status: row.outcome,
  }))
}
