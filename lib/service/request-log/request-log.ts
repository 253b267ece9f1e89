import { and, desc, eq, gte, isNull, lt, or } from 'drizzle-orm'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { bodyInMemory, redactPath, redactRequest, redactResponse } from '#lib/contract/redact.ts'
import type { Database, Queryable } from '#lib/db/connection.ts'
import { maskCardNumbers } from '#lib/shared/card-numbers.ts'
import { parseJson, textIn } from '#lib/shared/json.ts'
import { storableText } from '#lib/shared/texts.ts'
import { backgroundLog, cutLogPage } from '../background-log.ts'
import { requestLog } from '../tables/runtime.ts'

/** A request of an authenticated caller and its response, as they were; they are redacted before they are written. */
export type HandledRequest = {
  at: Date
  accessKey: string
  requestId: string
  method: string
  path: string
  search: string
  endpoint: EndpointName | null
  idempotencyKey: string | null
  body: Uint8Array | null
  /** Null where a fault dropped the connection. */
  status: number | null
  response: string | null
  durationMs: number
}

/** Requests held in memory between two writes. Above this number the oldest are not logged. */
export const mostWaiting = 200
/** The approximate number of rows in the log. */
export const mostRows = 5000
const longestPath = 2000

const log = backgroundLog('request log', { mostWaiting, mostRows, table: requestLog }, toLogRow)

/**
 * Takes a request in. It is written within a second, in the background: no request waits for the log or fails with it.
 */
export function logRequest(db: Database, request: HandledRequest): void {
  log.add(db, { ...request, body: bodyInMemory(request.body) })
}

/** Writes what this process holds, without the pause, and waits for it. */
export const requestsLogged = log.written

function toLogRow({ path, search, body, response, durationMs, idempotencyKey, ...request }: HandledRequest) {
  const { text: requestBody, note: requestNote } = redactRequest(request.endpoint, body)
  const { text: responseBody, note: responseNote } = redactResponse(request.endpoint, request.status, response)
  return {
    ...request,
    path: storableText(redactPath(path, search)).slice(0, longestPath),
    durationMs: Math.round(durationMs),
    idempotencyKey: idempotencyKey === null ? null : storableText(maskCardNumbers(idempotencyKey)).slice(0, 255),
    code: request.status !== null && request.status >= 400 ? readCode(responseBody) : null,
    requestBody,
    requestNote,
    responseBody,
    responseNote,
  }
}

/** The error code of a response's body; null where it has none, such as a body that is no JSON. */
function readCode(body: string | null): string | null {
  return textIn(parseJson(body ?? ''), 'code')?.slice(0, 100) ?? null
}

const { at, requestId, method, path, endpoint, status, code, durationMs } = requestLog
const summary = { at, requestId, method, path, endpoint, status, code, durationMs }
const { idempotencyKey, requestBody, requestNote, responseBody, responseNote } = requestLog
const bodies = { idempotencyKey, requestBody, requestNote, responseBody, responseNote }

/** A page of a caller's requests, or of all where the key is null, newest first. `before` is the `nextCursor` of the page before. */
export async function listLoggedRequests(
  db: Queryable,
  accessKey: string | null,
  given: { before: number | undefined; limit: number; method: string | undefined; failed: boolean },
) {
  const found = await db
    .select({ id: requestLog.id, ...summary })
    .from(requestLog)
    .where(
      and(
        accessKey === null ? undefined : eq(requestLog.accessKey, accessKey),
        given.before === undefined ? undefined : lt(requestLog.id, given.before),
        given.method === undefined ? undefined : eq(method, given.method),
        given.failed ? or(gte(status, 400), isNull(status)) : undefined,
      ),
    )
    .orderBy(desc(requestLog.id))
    .limit(given.limit + 1)
  const { rows, nextCursor } = cutLogPage(found, given.limit)
  return { requests: rows.map(({ id: _id, ...request }) => request), nextCursor }
}

/** One request with both bodies; null where the log does not have it. */
export async function findRequest(db: Queryable, accessKey: string | null, id: string) {
  const [row] = await db
    .select({ ...summary, ...bodies })
    .from(requestLog)
    .where(and(eq(requestId, id), accessKey === null ? undefined : eq(requestLog.accessKey, accessKey)))
  return row ?? null
}
