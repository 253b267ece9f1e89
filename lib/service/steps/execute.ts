import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Result } from '#lib/shared/result.ts'
import type { FieldIssue } from '../field-issues.ts'
import type { HandlerContext } from '../handler.ts'
import { handlers } from '../handlers.ts'
import { logFailure } from '../log.ts'
import { ServiceRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { enterHeavyCall } from './heavy-calls.ts'
import { judgeRequest } from './judge-request.ts'
import type { Json } from './parse-json.ts'
import { renderAnswer, renderFailure, renderRefusal, renderUnforeseen, type Answer } from './render.ts'
import { findStoredAnswer, KeyTaken, requireSameRequest, storeAnswer } from './replay.ts'
import type { KeyedRequest, StoredAnswer } from './replay.ts'
import type { Route } from './route.ts'

/** An authenticated request, within its limits. */
export type Call = {
  service: Service
  route: Result<Route, ServiceRefusal>
  search: string
  content: Result<Json, ServiceRefusal>
  /** What is wrong with the idempotency key. */
  keyIssues: readonly FieldIssue[]
  /** Set where the request carries an idempotency key. */
  keyed: KeyedRequest | null
  stored: StoredAnswer | null
  context: Omit<HandlerContext, 'db'>
  /** Aborted when the caller has gone: what has not begun then never begins. */
  signal: AbortSignal
}

/** Answers a call: from the store, or by its handler, with the answer stored in the same transaction. Never throws. */
export async function execute(call: Call): Promise<Answer> {
  const { service, keyed } = call
  try {
    return call.keyed && call.stored ? replay(call, call.keyed, call.stored) : await perform(call)
  } catch (error) {
    if (!keyed) return refuse(call, error)
    try {
      if (error instanceof KeyTaken) return replay(call, keyed, await findStoredAnswer(service.db, keyed))
      const answer = refuse(call, error)
      if (isStored(answer, error)) await storeAnswer(service.db, keyed, answer, call.context.now)
      return answer
    } catch (second) {
      return second instanceof KeyTaken ? replayOrRefuse(call, keyed) : refuse(call, second)
    }
  }
}

async function perform(call: Call): Promise<Answer> {
  const { service, keyed, context, signal } = call
  if (!call.route.ok) throw call.route.error
  if (!call.content.ok) throw call.content.error
  const { name, row } = call.route.value
  const { value: body, flaws } = call.content.value
  const given = { route: call.route.value, search: call.search, body, issues: [...call.keyIssues, ...flaws] }
  const request = await judgeRequest(given, { ...context, db: service.db })
  signal.throwIfAborted()
  if (row.method === 'GET') return renderAnswer(await handle(name, request, { ...context, db: service.db }))
  const leave = enterHeavyCall(context.accessKey, body)
  try {
    return await inTransaction(
      service.db,
      async (tx) => {
        const answer = renderAnswer(await handle(name, request, { ...context, db: tx }))
        if (keyed) await storeAnswer(tx, keyed, answer, context.now)
        return answer
      },
      { signal },
    )
  } finally {
    leave()
  }
}

/** The table's own type has tied each handler to its row; here, where it is walked, the tie cannot be spelt out. */
function handle(
  name: EndpointName,
  request: ParsedRequest<EndpointName>,
  context: Omit<HandlerContext, 'db'> & { db: Queryable },
): Promise<unknown> {
  return (handlers[name] as (request: unknown, context: unknown) => Promise<unknown>)(request, context)
}

function replay(call: Call, keyed: KeyedRequest, stored: StoredAnswer): Answer {
  requireSameRequest(stored, keyed)
  const routing = call.route.ok ? {} : call.route.error.headers
  return { status: stored.status, body: stored.answer, headers: { ...routing, 'Idempotency-Replayed': 'true' } }
}

async function replayOrRefuse(call: Call, keyed: KeyedRequest): Promise<Answer> {
  try {
    return replay(call, keyed, await findStoredAnswer(call.service.db, keyed))
  } catch (error) {
    return refuse(call, error)
  }
}

function refuse(call: Call, error: unknown): Answer {
  const row = call.route.ok ? call.route.value.row : undefined
  if (error instanceof ServiceRefusal) return renderRefusal(error, row)
  // Nobody reads this answer, and nothing was done.
  if (call.signal.aborted && error === call.signal.reason) return renderFailure(503, row)
  logFailure(error, { requestId: call.context.requestId })
  return renderUnforeseen(error, row)
}

/** Stored is every answer but 5xx, 429 and the conflict itself. */
function isStored(answer: Answer, error: unknown): boolean {
  const isConflict = error instanceof ServiceRefusal && error.code === 'IDEMPOTENCY_CONFLICT'
  return answer.status < 500 && answer.status !== 429 && !isConflict
}
