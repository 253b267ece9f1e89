import { randomBytes, randomUUID } from 'node:crypto'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import type { Connection } from '#lib/shared/connections.ts'
import { ok, type Result } from '#lib/shared/result.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { ApiError, errorOrThrow } from './api-error.ts'
import { executeWithFault, isBackground, takeFault } from './faults/take-fault.ts'
import { bodyWithUuids, searchWithUuids, withIdForm } from './modes.ts'
import { serveOpenApi } from './openapi.ts'
import { logRequest } from './request-log/request-log.ts'
import { serveSecureContent } from './secure-content.ts'
import { serviceKey } from './service-keys.ts'
import { interfacePrefix, type PublicRequest, runningService, type Service } from './service.ts'
import { admit, rateLimitHeaders, requireWithinLimit } from './steps/admit.ts'
import { authenticate } from './steps/authenticate.ts'
import { type Call, execute } from './steps/execute.ts'
import { parseJsonBody } from './steps/parse-json.ts'
import { readBody, requireAcceptedLength } from './steps/read-body.ts'
import { type RenderedResponse, renderError, toResponse, withServiceHeaders } from './steps/render.ts'
import { findIdempotencyKey } from './steps/replay.ts'
import { findRoute, readTarget, type Route, type Target } from './steps/route.ts'

type Incoming = {
  service: Service
  request: Request
  requestId: string
  target: Target
  route: Result<Route, ApiError>
  row: Endpoint | undefined
  /** Headers of the response: each step adds its own. */
  headers: Record<string, string>
  /** Set once the caller is authenticated. */
  caller: { accessKey: string; body: Uint8Array | null } | null
}

/**
 * Handles a request to the service. The steps, in this order: route, authentication, body, limit, faults, replay,
 * parsing, the handler in its transaction. An unknown path or a wrong method is reported without authentication, since the
 * interface is public; an authenticated caller gets the headers of an authenticated response with it.
 */
export async function handleService(
  request: Request,
  connection: Connection | undefined,
  service: Service = runningService(),
): Promise<Response> {
  const requestId = randomUUID()
  return withServiceHeaders(await respond(request, connection, service, requestId), requestId)
}

async function respond(
  request: Request,
  connection: Connection | undefined,
  service: Service,
  requestId: string,
): Promise<Response> {
  const startMs = performance.now()
  const headers = {}
  const target = readTarget(request, connection, interfacePrefix(service))
  const route = findRoute(request.method, target.path)
  const row = route.ok ? route.value.row : undefined
  const render = (response: RenderedResponse) =>
    toResponse({ ...response, headers: { ...response.headers, ...headers } })
  try {
    const open = findPublicRoute(request.method, target.path)
    if (open) {
      const remoteAddress = connection?.remoteAddress ?? null
      return await open.route.response({ service, request, id: open.id, remoteAddress })
    }
    const incoming: Incoming = { service, request, requestId, target, route, row, headers, caller: null }
    const response = await respondToCaller(incoming).catch((error: unknown) => renderError(error, row, requestId))
    recordRequest(incoming, response, performance.now() - startMs)
    if (response) return render(response)
    connection?.socket.destroy()
    return new Response(null, { status: 502 })
  } catch (error) {
    return render(renderError(error, row, requestId))
  }
}

/** Puts a request of an authenticated caller into the request log, unless it is background work. */
function recordRequest(incoming: Incoming, response: RenderedResponse | null, durationMs: number): void {
  const { service, request, requestId, target, route, caller } = incoming
  if (!caller || isBackground(request.headers.get('priority'))) return
  logRequest(service.db, {
    at: new Date(),
    accessKey: caller.accessKey,
    requestId,
    method: request.method,
    path: target.path,
    search: target.search,
    endpoint: route.ok ? route.value.name : null,
    idempotencyKey: request.headers.get('idempotency-key'),
    body: caller.body,
    status: response?.status ?? null,
    response: response?.body ?? null,
    durationMs,
  })
}

/** The response to an authenticated caller; null for a connection that a fault drops. */
async function respondToCaller(incoming: Incoming): Promise<RenderedResponse | null> {
  const { service, request, requestId, target, route, row } = incoming
  const authorization = request.headers.get('authorization')
  const caller = await authenticate(service, { authorization, method: request.method, uri: target.uri })
  if (!caller.ok) {
    requireAcceptedLength(request.headers)
    throw route.ok ? caller.error : route.error
  }
  const { accessKey, token } = caller.value
  incoming.caller = { accessKey, body: null }
  const read = await readBody(request).then(ok, errorOrThrow)
  const body = read.ok ? read.value : undefined
  incoming.caller.body = body ?? null
  const refusedBody = body === undefined ? null : caller.value.refusedBody(body)
  if (refusedBody) throw route.ok ? refusedBody : route.error

  const isPost = request.method === 'POST'
  const content = isPost ? parseJsonBody(request.headers.get('content-type'), body ?? null) : ok(noJson)
  const json = content.ok ? content.value.value : undefined
  const findKey = (header: string | null) => (isPost ? findIdempotencyKey(header, row, json) : ok(null))
  const key = findKey(request.headers.get('idempotency-key'))
  const limit = service.settings.rateLimitPerMinute
  const admission = await admit(service.db, {
    accessKey,
    endpoint: route.ok ? route.value.name : 'none',
    idempotencyKey: key.ok ? key.value : null,
    isCounted: limit > 0,
  })
  Object.assign(incoming.headers, rateLimitHeaders(limit, admission))
  requireWithinLimit(limit, admission)
  if (!read.ok) throw read.error

  const pageTokenKey = await serviceKey(service, 'page-tokens', () => randomBytes(32))
  const { idForm, replay, ignoreIdempotencyKeys } = admission.modes
  const keyWithoutHeader = ignoreIdempotencyKeys === true ? ok(null) : findKey(null)
  const used = ignoreIdempotencyKeys === false ? key : keyWithoutHeader
  const call: Call = {
    service,
    route,
    search: searchWithUuids(target.search, idForm),
    content: content.ok ? ok({ ...content.value, value: bodyWithUuids(json, idForm) }) : content,
    keyIssues: used.ok ? [] : [used.error],
    keyed:
      !used.ok || used.value === null
        ? null
        : { accessKey, key: used.value, path: target.path, bodySha256: sha256Hex(body ?? '') },
    token,
    stored: key.ok && used.ok && key.value === used.value ? admission.stored : null,
    replay,
    context: { now: admission.now, accessKey, requestId, settings: service.settings, pageTokenKey },
    signal: request.signal,
  }
  const { method, headers } = request
  const priority = headers.get('priority')
  const fault = admission.hasFaults ? await takeFault(service, { method, path: target.path, row, priority }) : null
  const response = fault ? await executeWithFault(fault, call) : await execute(call)
  return response?.status === 200 && idForm !== 'uuid'
    ? { ...response, body: withIdForm(response.body, idForm) }
    : response
}

const noJson = { value: undefined, issues: [] }

type PublicRoute = {
  /** Matches a path below the base address; its group is the `id` of the request. */
  path: RegExp
  response: (request: PublicRequest) => Promise<Response>
}

/** The GET routes that need no authentication. */
const publicRoutes: readonly PublicRoute[] = [
  { path: /^\/openapi\.json$/, response: serveOpenApi },
  { path: /^\/secure-content\/([^/]+)$/, response: serveSecureContent },
]

/** The open route of a path. Throws `METHOD_NOT_ALLOWED` for another method than GET. */
function findPublicRoute(method: string, path: string): { route: PublicRoute; id: string } | null {
  const route = publicRoutes.find((one) => one.path.test(path))
  if (!route) return null
  if (method !== 'GET') throw new ApiError('METHOD_NOT_ALLOWED', 'this address accepts GET only', { Allow: 'GET' })
  return { route, id: route.path.exec(path)?.[1] ?? '' }
}
