import 'server-only'
import { currentOrigin } from '#lib/audit/request-origin.ts'
import type { CallRecord } from '#lib/client/client-options.ts'
import { bodyInMemory, redactPath, redactRequest, redactResponse, textInMemory } from '#lib/contract/redact.ts'
import { insertRows } from '#lib/db/bulk-rows.ts'
import { database } from '#lib/db/connection.ts'
import { boundedWriter } from '#lib/shared/background-writer.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storableText } from '#lib/shared/texts.ts'
import { secondMs } from '#lib/shared/time.ts'
import { serviceRequests } from '#lib/tables/requests.ts'

type Waiting = CallRecord & { environment: Environment; at: Date; consoleRequestId: string | null }

const log = globalSingleton('carddeskRequestLog', () => {
  const onFailure = (error: unknown) => logFailure(error, { while: 'writing the request log' })
  return boundedWriter({ most: mostWaiting, everyMs: writeEveryMs, write, onFailure })
})

const writeEveryMs = secondMs
/** Calls in memory between two writes: under more load than that the oldest are not logged. */
export const mostWaiting = 300

/**
 * Takes a call of the service in. It is written within about a second, in the background: no request waits for the log or
 * fails with it.
 */
export function noteServiceCall(environment: Environment, call: CallRecord): void {
  const entry: Waiting = {
    ...call,
    bytes: bodyInMemory(call.bytes),
    text: textInMemory(call.text),
    environment,
    at: new Date(Date.now() - call.durationMs),
    consoleRequestId: null,
  }
  log().add(entry)
  if (!call.isBackground)
    void currentOrigin().then(({ requestId }) => Object.assign(entry, { consoleRequestId: requestId }))
}

/** Writes what this process holds, without the pause, and waits for it. */
export const requestsWritten = (): Promise<void> => log().written()

async function write(calls: readonly Waiting[]): Promise<void> {
  for (let at = 0; at < calls.length; at += writtenAtOnce) {
    await insertRows(database('background'), serviceRequests, calls.slice(at, at + writtenAtOnce).map(toLogRow))
  }
}

/**
 * Rows of a statement. Requests of people go between, since masking reads whole bodies. A text of more than 128 kB takes memory from the
 * system, here and in PostgreSQL, and that takes several times as long as writing the text.
 */
const writtenAtOnce = 8

function toLogRow(call: Waiting): typeof serviceRequests.$inferInsert {
  const { environment, at, name, method, path, bytes, text, status, code, durationMs, attempts } = call
  const { isBackground, idempotencyKey, requestId, consoleRequestId } = call
  const [place = '', ...search] = path.split('?')
  const failed = status === null || status >= 400
  // Bodies of background work are stored for failures alone.
  const isBodyStored = !isBackground || failed
  const request = isBodyStored ? redactRequest(name, bytes) : { text: null, note: null }
  const response = isBodyStored ? redactResponse(name, status, text) : { text: null, note: null }
  return {
    environment,
    at,
    endpoint: name,
    method,
    path: storableText(redactPath(place, search.join('?'))).slice(0, 2000),
    status,
    code: code === null ? null : storableText(withoutCardNumbers(code)).slice(0, 100),
    durationMs,
    attempts,
    requestId: requestId === null ? null : storableText(withoutCardNumbers(requestId)),
    isBackground,
    operationId: idempotencyKey !== null && isUuid(idempotencyKey) ? idempotencyKey : null,
    consoleRequestId,
    requestBody: request.text === null ? null : storableText(request.text),
    requestNote: request.note,
    responseBody: response.text === null ? null : storableText(response.text),
    responseNote: response.note,
  }
}
