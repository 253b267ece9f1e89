import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Result } from '#lib/shared/result.ts'
import type { RequestToken } from '#lib/signing/request-token.ts'
import type { FieldIssue } from '../field-issues.ts'
import type { HandlerContext } from '../handler.ts'
import { handlers } from '../handlers.ts'
import { logFailure } from '../log.ts'
import type { Modes } from '../modes.ts'
import { ServiceRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { enterHeavyCall } from './heavy-calls.ts'
import { judgeRequest } from './judge-request.ts'
import type { Json } from './parse-json.ts'
import { renderAnswer, renderFailure, renderRefusal, renderUnforeseen, type Answer } from './render.ts'
import { findStoredAnswer, KeyTaken, requireSameRequest, storeAnswer } from './replay.ts'
import type { KeyedRequest, StoredAnswer } from './replay.ts'
import type { Route } from './route.ts'
import { rememberToken } from './used-tokens.ts'

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
  /** Null where the caller authenticated by HTTP Basic. */
  token: RequestToken | null
  stored: StoredAnswer | null
  /** How a repeated request under one key is answered. */
  replay: Modes['replay']
  /** Set by a fault: the handler's effect is rolled back once its response is made, and nothing is stored. */
  isRolledBack?: boolean
  /** Set by a fault: handles the body of the request; `run` is the endpoint's own handler. */
  instead?: (body: unknown, run: (body: unknown) => Promise<unknown>) => Promise<unknown>
  context: Omit<HandlerContext, 'db'>
  /** Aborted when the caller has gone: what has not begun then never begins. */
  signal: AbortSignal
}

/** Undoes the transaction of a handler and carries the response that it made. */
class RolledBack extends Error {
  readonly response: Answer
  constructor(response: Answer) {
    super('a fault rolls the effect back')
    this.response = response
  }
}

/** Answers a call: from the store, or by its handler, with the answer stored in the same transaction. Never throws. */
export async function execute(call: Call): Promise<Answer> {
  const { service, keyed } = call
  try {
    return call.keyed && call.stored ? replay(call, call.keyed, call.stored) : await perform(call)
  } catch (error) {
    if (error instanceof RolledBack) return error.response
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
        if (call.token) await rememberToken(tx, call.token, keyed?.key ?? null)
        const run = (body: unknown) => handle(name, { ...request, body } as typeof request, { ...context, db: tx })
        const answer = renderAnswer(await (call.instead ? call.instead(request.body, run) : run(request.body)))
        if (call.isRolledBack) throw new RolledBack(answer)
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
  if (call.replay === 'refused') {
    throw new ServiceRefusal('IDEMPOTENCY_CONFLICT', 'the idempotency key was used before')
  }
  const routing = call.route.ok ? {} : call.route.error.headers
  const mark: Record<string, string> = call.replay === 'marked' ? { 'Idempotency-Replayed': 'true' } : {}
  return { status: stored.status, body: stored.answer, headers: { ...routing, ...mark } }
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

/** Stored is every answer but 5xx, 429, the conflict itself and the refusal of a replayed token. */
function isStored(answer: Answer, error: unknown): boolean {
  const isConflict = error instanceof ServiceRefusal && error.code === 'IDEMPOTENCY_CONFLICT'
  return answer.status < 500 && answer.status !== 429 && answer.status !== 401 && !isConflict
}
