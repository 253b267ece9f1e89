import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Connection } from '#lib/shared/connections.ts'
import { logFailure } from '../log.ts'
import { ServiceRefusal } from '../refusal.ts'
import { runningService, type Service } from '../service.ts'
import { controlPrefix } from '../settings.ts'
import { readContent } from '../steps/content.ts'
import { describeIssues, type Part } from '../steps/describe-issues.ts'
import { readQuery } from '../steps/parse-request.ts'
import { readBody } from '../steps/read-body.ts'
import { renderAnswer, renderFailure, renderRefusal, toResponse, type Answer } from '../steps/render.ts'
import { readTarget } from '../steps/target.ts'
import type { ControlRoute } from './control-route.ts'
import { requireControlKey } from './require-control-key.ts'
import { controlRoutes } from './routes.ts'

/** Answers a call of the control plane: moving the clock, arming faults, starting anew. It takes an access key of the sandbox, by HTTP Basic alone. */
export async function handleControl(
  request: Request,
  connection: Connection | undefined,
  service: Service = runningService(),
): Promise<Response> {
  const requestId = randomUUID()
  const headers = { 'X-Request-Id': requestId }
  try {
    const { path, search } = readTarget(request, connection, controlPrefix)
    const candidates = controlRoutes.filter((route) => route.path === path)
    const route = candidates.find(({ method }) => method === request.method)
    if (!route?.isOpen) await requireControlKey(service, request.headers.get('authorization'))
    if (!route) throw unknownCall(candidates)
    const answer = await route.answer(service, await readGiven(route, request, search))
    if (!(answer instanceof Response)) return toResponse(renderAnswer(answer), headers)
    answer.headers.set('X-Request-Id', requestId)
    return answer
  } catch (error) {
    return toResponse(refuse(error, requestId), headers)
  }
}

function unknownCall(candidates: readonly ControlRoute[]): ServiceRefusal {
  if (candidates.length === 0) return new ServiceRefusal('NOT_FOUND', 'there is no such address')
  const allowed = candidates.map(({ method }) => method).join(', ')
  return new ServiceRefusal('METHOD_NOT_ALLOWED', `this address accepts ${allowed} only`, { Allow: allowed })
}

/** The body or query of a call, parsed. */
async function readGiven({ body, query }: ControlRoute, request: Request, search: string): Promise<unknown> {
  if (query) return parseGiven(query, readQuery(search), 'query')
  if (!body) return undefined
  const content = readContent(request.headers.get('content-type'), await readBody(request))
  if (!content.ok) throw content.error
  return parseGiven(body, content.value, 'body')
}

function parseGiven(schema: z.ZodType, value: unknown, part: Part): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ServiceRefusal('INVALID_PARAMETERS', describeIssues(parsed.error.issues, value, part).join('; '))
}

function refuse(error: unknown, requestId: string): Answer {
  if (error instanceof ServiceRefusal) return renderRefusal(error, undefined)
  logFailure(error, { requestId })
  return renderFailure(500, undefined)
}
