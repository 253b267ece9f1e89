import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { isCallerBusy } from '#lib/db/errors.ts'
import { limitConcurrency } from '#lib/db/slots.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { isFields } from '#lib/shared/json.ts'
import type { Result } from '#lib/shared/result.ts'
import type { RequestToken } from '#lib/signing/request-token.ts'
import { ApiError, errorOfIssues, type FieldIssue, isWithin } from '../api-error.ts'
import { readSandboxNow } from '../clock.ts'
import type { HandlerContext, Rule, RuleContext, RunHandler, ValidRequest } from '../handler.ts'
import { handlers, rules } from '../handlers/table.ts'
import type { Modes } from '../modes.ts'
import type { Service } from '../service.ts'
import type { Json } from './parse-json.ts'
import { parseRequest, type Query, parseQuery, validFields } from './parse-request.ts'
import { type RenderedResponse, renderError, renderFailure, renderResponse } from './render.ts'
import {
  findStoredResponse,
  type KeyedRequest,
  KeyTaken,
  requireSameRequest,
  type StoredResponse,
  storeResponse,
} from './replay.ts'
import type { Route } from './route.ts'
import { rememberToken } from './used-tokens.ts'

/** A body with more items than this in one array keeps a transaction busy for long. */
const lightItems = 50
/** How many heavy calls run at once in this process: of one access key, and of all. */
const heavyCalls = { ofKey: 2, ofProcess: 4 }

/**
 * Runs a call; one with a long array once few others of its key and of this process run: each holds the locks of all its rows, and
 * others wait for these. Throws `CallerBusy` after seconds, and the signal's reason once that is aborted.
 */
export function limitHeavyCalls<Value>(
  accessKey: string,
  body: unknown,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  if (!isHeavy(body)) return work()
  const inProcess = () => limitConcurrency('heavy calls', heavyCalls.ofProcess, signal, work)
  return limitConcurrency(`heavy calls of ${accessKey}`, heavyCalls.ofKey, signal, inProcess)
}

function isHeavy(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return [body, ...Object.values(body)].some((part) => Array.isArray(part) && part.length > lightItems)
}

/** An authenticated request, within its limits. */
export type Call = {
  service: Service
  route: Result<Route, ApiError>
  search: string
  content: Result<Json, ApiError>
  /** Returns the issues of the idempotency key. */
  keyIssues: readonly FieldIssue[]
  /** Set where the request carries an idempotency key. */
  keyed: KeyedRequest | null
  /** Null where the caller authenticated by HTTP Basic. */
  token: RequestToken | null
  stored: StoredResponse | null
  /** The response to a repeated request under one key. */
  replay: Modes['replay']
  /** Set by a fault: the handler's effect is rolled back once its response is made, and nothing is stored. */
  isRolledBack?: boolean
  /** Set by a fault: handles the body of the request; `run` is the endpoint's own handler. */
  overrideHandler?: (body: unknown, run: RunHandler) => Promise<unknown>
  context: Omit<HandlerContext, 'db'>
  /** Aborted when the caller has disconnected: work that has not started is then skipped. */
  signal: AbortSignal
}

/** Undoes the transaction of a handler and carries the response that it made. */
class RolledBack extends Error {
  readonly response: RenderedResponse
  constructor(response: RenderedResponse) {
    super('a fault rolls the effect back')
    this.response = response
  }
}

/** The response to a call: from the store, or by its handler, with the response stored in the same transaction. Never throws. */
export async function execute(call: Call): Promise<RenderedResponse> {
  const { keyed, stored } = call
  try {
    return keyed && stored ? replay(call, keyed, stored) : await perform(call)
  } catch (error) {
    if (error instanceof RolledBack) return error.response
    return keyed ? await refuseKeyed(call, keyed, error) : refuse(call, error)
  }
}

/** The response to an error, stored under the request's key; where another request took the key, the response of that one. */
async function refuseKeyed(call: Call, keyed: KeyedRequest, error: unknown): Promise<RenderedResponse> {
  const { db } = call.service
  try {
    if (error instanceof KeyTaken) return replay(call, keyed, await findStoredResponse(db, keyed))
    const response = refuse(call, error)
    if (isStored(response, error)) await storeResponse(db, keyed, response, await readSandboxNow(db))
    return response
  } catch (second) {
    return second instanceof KeyTaken ? refuseKeyed(call, keyed, second) : refuse(call, second)
  }
}

/** Reads of one access key at the same time. The limit leaves connections for other callers and for changes. */
const readsOfKey = 10

async function perform(call: Call): Promise<RenderedResponse> {
  const { service, keyed, context, signal } = call
  if (!call.route.ok) throw call.route.error
  if (!call.content.ok) throw call.content.error
  const { name, row } = call.route.value
  const { value: body, issues } = call.content.value
  // Of an array each item has a result of its own, also where a value of it cannot be stored.
  const ofRequest = Array.isArray(body) ? issues.filter(({ path }) => !/^\d/.test(path)) : issues
  const given = { route: call.route.value, search: call.search, body, issues: [...call.keyIssues, ...ofRequest] }
  const request = await validateRequest(given, { ...context, db: service.db })
  signal.throwIfAborted()
  if (row.method === 'GET') {
    const read = () => handle(name, request, { ...context, db: service.db })
    return renderResponse(await limitConcurrency(`service ${context.accessKey}`, readsOfKey, signal, read))
  }
  const change = () =>
    inTransaction(
      service.db,
      async (tx) => {
        // The sandbox may have been reset since the request was admitted; from here on, a reset waits for it.
        const now = await readSandboxNow(tx)
        if (call.token) await rememberToken(tx, call.token, keyed ?? null, now)
        const run = (body: unknown) => handle(name, { ...request, body } as typeof request, { ...context, now, db: tx })
        const response = renderResponse(
          await (call.overrideHandler ? call.overrideHandler(request.body, run) : run(request.body)),
        )
        if (call.isRolledBack) throw new RolledBack(response)
        if (keyed) await storeResponse(tx, keyed, response, now)
        return response
      },
      { signal },
    )
  return limitHeavyCalls(context.accessKey, body, signal, change)
}

/** The table's own type ties each handler to its row; here, where the row is looked up by name, the tie cannot be spelt out. */
function handle(
  name: EndpointName,
  request: ParsedRequest<EndpointName>,
  context: Omit<HandlerContext, 'db'> & { db: Queryable },
): Promise<unknown> {
  return (handlers[name] as (request: unknown, context: unknown) => Promise<unknown>)(request, context)
}

function replay(call: Call, keyed: KeyedRequest, stored: StoredResponse): RenderedResponse {
  requireSameRequest(stored, keyed)
  if (call.replay === 'refused') {
    throw new ApiError('IDEMPOTENCY_CONFLICT', 'the idempotency key was used before')
  }
  const routing = call.route.ok ? {} : call.route.error.headers
  const mark: Record<string, string> = call.replay === 'marked' ? { 'Idempotency-Replayed': 'true' } : {}
  return { status: stored.status, body: stored.answer, headers: { ...routing, ...mark } }
}

function refuse(call: Call, error: unknown): RenderedResponse {
  const row = call.route.ok ? call.route.value.row : undefined
  // This response is never read, and nothing was done.
  if (call.signal.aborted && error === call.signal.reason) return renderFailure(503, row)
  const message = 'too many requests are being worked on'
  const refused = isCallerBusy(error) ? new ApiError('RATE_LIMITED', message, { 'Retry-After': '2' }) : error
  return renderError(refused, row, call.context.requestId)
}

/** Stored is every response but 5xx, 429, the conflict itself and the error of a replayed token. */
function isStored(response: RenderedResponse, error: unknown): boolean {
  const isConflict = error instanceof ApiError && error.code === 'IDEMPOTENCY_CONFLICT'
  return response.status < 500 && response.status !== 429 && response.status !== 401 && !isConflict
}

type GivenRequest = { route: Route; search: string; body: unknown; issues: readonly FieldIssue[] }

/**
 * The parsed request, checked against its row and against the endpoint's rule. Throws one error that names every wrong
 * field and why: those of `issues` first, then the shapes, then what the rule says of all that is right by itself. A field
 * that is wrong already is not reported again.
 */
async function validateRequest<Name extends EndpointName>(
  { route, search, body, issues: readIssues }: GivenRequest,
  context: RuleContext,
): Promise<ParsedRequest<Name>> {
  const query = parseQuery(search)
  const { request, issues: found } = parseRequest<Name>(route, query, body)
  const flawed = new Set(readIssues.map(({ path }) => path))
  const issues = [...readIssues, ...found.filter(({ path }) => !flawed.has(path))]
  const wrong = new Set(issues.map(({ path }) => path))
  const rule = rules[route.name] as Rule<Name> | undefined
  const valid = (): ValidRequest<Name> => ({ ...(wrong.size === 0 ? request : validParts(route, query, body)), wrong })
  const broken = rule && (!route.row.body || isFields(body)) ? await rule(valid(), context) : []
  const code = broken.find((issue) => issue.code)?.code
  issues.push(...broken.filter(({ path }) => !isWithin(path, wrong)))
  if (issues.length > 0) throw errorOfIssues(issues, code)
  return request
}

function validParts<Name extends EndpointName>({ row }: Route, query: Query, body: unknown) {
  const parts = { query: validFields(row.query, query), body: validFields(row.body, body) }
  return parts as Omit<ValidRequest<Name>, 'wrong'>
}
