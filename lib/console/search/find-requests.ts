import 'server-only'
import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import { indexDatabase } from '#lib/db/connection.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import { type Hit, mayBeId, mostOfAKind, type Query } from './query.ts'

/** The requests to the service by their id at the service or in the console. */
export async function findRequests({ environment, q }: Query): Promise<Hit[]> {
  if (!mayBeId(q)) return []
  const { id, method, path, status, requestId, consoleRequestId } = serviceRequests
  const spellings = [...new Set([q, q.toLowerCase()])]
  const rows = await indexDatabase()
    .select({ id, method, path, status })
    .from(serviceRequests)
    .where(
      and(
        eq(serviceRequests.environment, environment),
        or(inArray(requestId, spellings), inArray(consoleRequestId, spellings)),
      ),
    )
    .orderBy(desc(id))
    .limit(mostOfAKind)
  return rows.map((row) => ({
    id: String(row.id),
    label: `${row.method} ${row.path}`,
    hint: row.status === null ? 'No response' : String(row.status),
    status: null,
  }))
}

/** The audit entries by a request, or by an operation. */
export async function findAuditEntries({ environment, q }: Query): Promise<Hit[]> {
  if (!mayBeId(q)) return []
  const { number, act, targetLabel, outcome, requestId, operationId, environment: ofEntry } = auditEntries
  const rows = await indexDatabase()
    .select({ number, act, targetLabel, outcome })
    .from(auditEntries)
    .where(
      and(
        or(
          inArray(requestId, [...new Set([q, q.toLowerCase()])]),
          isUuid(q) ? eq(operationId, q.toLowerCase()) : undefined,
        ),
        or(eq(ofEntry, environment), isNull(ofEntry)),
      ),
    )
    .orderBy(desc(number))
    .limit(mostOfAKind)
  return rows.map((row) => ({
    id: String(row.number),
    label: row.act,
    hint: row.targetLabel,
    status: row.outcome,
  }))
}
