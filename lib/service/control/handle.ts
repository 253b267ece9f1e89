import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { describeIssues, type Part } from '#lib/contract/describe-issues.ts'
import type { Connection } from '#lib/shared/connections.ts'
import { ApiError, errorOfIssues } from '../api-error.ts'
import { sandboxControlPrefix, runningService, type Service } from '../service.ts'
import { authenticate } from '../steps/authenticate.ts'
import { readContent } from '../steps/parse-json.ts'
import { findTextIssues, parseQuery } from '../steps/parse-request.ts'
import { readBody } from '../steps/read-body.ts'
import { renderError, renderResponse, toResponse, withServiceHeaders } from '../steps/render.ts'
import { readTarget, type Target } from '../steps/route.ts'
import { rememberToken } from '../steps/used-tokens.ts'
import { cardRoutes } from './cards.ts'
import type { ControlRoute } from './control-route.ts'
import { deliveryRoutes } from './deliveries.ts'
import { dueWorkRoutes } from './due-work.ts'
import { eventRoutes } from './events.ts'
import { faultRoutes } from './faults.ts'
import { rateRoutes } from './rates.ts'
import { requestRoutes } from './requests.ts'
import { sandboxRoutes } from './sandbox.ts'
import { sandboxesRoutes } from './sandboxes.ts'
import { transactionRoutes } from './transactions.ts'

/**
 * Handles a call of the control plane: moving the clock, arming faults, resetting the data. Its callers authenticate as those
 * of the interface do: by a request token for the uri below /service/control, or by HTTP Basic where the settings accept it.
 */
export async function handleControl(
  request: Request,
  connection: Connection | undefined,
  service: Service = runningService(),
): Promise<Response> {
  const requestId = randomUUID()
  const target = readTarget(request, connection, sandboxControlPrefix(service))
  const candidates = controlRoutes.filter(({ path }) => path === target.path)
  const route = candidates.find(({ method }) => method === request.method)
  try {
    const { accessKey, body } = route?.isOpen
      ? { accessKey: '', body: await readBody(request) }
      : await readCall(service, request, target)
    if (!route) throw unknownCall(candidates)
    const response = await route.response(service, parseGivenTo(route, request, target.search, body), accessKey)
    return withServiceHeaders(response instanceof Response ? response : toResponse(renderResponse(response)), requestId)
  } catch (error) {
    return withServiceHeaders(toResponse(renderError(error, undefined, requestId)), requestId)
  }
}

/**
 * The access key and the body of an authenticated caller; throws for any other. A token is accepted for one call that changes anything: none
 * of them has an idempotency key.
 */
async function readCall(
  service: Service,
  request: Request,
  { uri }: Target,
): Promise<{ accessKey: string; body: Uint8Array | null }> {
  const { method, headers } = request
  const caller = await authenticate(service, { authorization: headers.get('authorization'), method, uri })
  if (!caller.ok) throw caller.error
  const { accessKey, token, refusedBody } = caller.value
  const body = await readBody(request)
  const refused = refusedBody(body)
  if (refused) throw refused
  if (method !== 'GET' && token) await rememberToken(service.db, token, null, new Date())
  return { accessKey, body }
}

function unknownCall(candidates: readonly ControlRoute[]): ApiError {
  if (candidates.length === 0) return new ApiError('NOT_FOUND', 'there is no such address')
  const allowed = candidates.map(({ method }) => method).join(', ')
  return new ApiError('METHOD_NOT_ALLOWED', `this address accepts ${allowed} only`, { Allow: allowed })
}

/** The body or query of a call, parsed. */
function parseGivenTo(
  { body, query }: ControlRoute,
  request: Request,
  search: string,
  bytes: Uint8Array | null,
): unknown {
  const isEmpty = bytes === null || bytes.length === 0
  // A call takes no field but its own: a misspelt one must not be a reset of everything.
  const given = parseQuery(search)
  const issues = findTextIssues(given)
  if (issues.length > 0) throw errorOfIssues(issues)
  const fromQuery = parseGiven(query ?? NoFields, given, 'query')
  // Nothing is as good as an object without fields, where a call needs none.
  const withoutFields = isEmpty ? body?.safeParse({}) : undefined
  if (withoutFields?.success) return withoutFields.data
  if (body) return parseJsonGiven(body, request, bytes)
  if (!isEmpty) parseJsonGiven(NoFields, request, bytes)
  return query ? fromQuery : undefined
}

const NoFields = z.strictObject({})

function parseJsonGiven(body: z.ZodType, request: Request, bytes: Uint8Array | null): unknown {
  const content = readContent(request.headers.get('content-type'), bytes)
  if (!content.ok) throw content.error
  return parseGiven(body, content.value, 'body')
}

function parseGiven(schema: z.ZodType, value: unknown, part: Part): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ApiError('INVALID_PARAMETERS', describeIssues(parsed.error.issues, value, part).join('; '))
}

/** Everything that the control plane can do. */
export const controlRoutes: readonly ControlRoute[] = [
  ...sandboxRoutes,
  ...sandboxesRoutes,
  ...faultRoutes,
  ...transactionRoutes,
  ...cardRoutes,
  ...eventRoutes,
  ...dueWorkRoutes,
  ...deliveryRoutes,
  ...rateRoutes,
  ...requestRoutes,
]
