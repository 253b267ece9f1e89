import { randomUUID } from 'node:crypto'
import type { Connection } from '#lib/shared/connections.ts'
import { logFailure } from '../log.ts'
import { ServiceRefusal } from '../refusal.ts'
import { runningService, type Service } from '../service.ts'
import { controlPrefix } from '../settings.ts'
import { readContent } from '../steps/content.ts'
import { describeIssues } from '../steps/describe-issues.ts'
import { readBody } from '../steps/read-body.ts'
import { renderAnswer, renderRefusal, renderUnforeseen, toResponse, type Answer } from '../steps/render.ts'
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
    const { path } = readTarget(request, connection, controlPrefix)
    const candidates = controlRoutes.filter((route) => route.path === path)
    const route = candidates.find(({ method }) => method === request.method)
    if (!route?.isOpen) await requireControlKey(service, request.headers.get('authorization'))
    if (!route) throw unknownCall(candidates)
    const answer = await route.answer(service, await readControlBody(route, request))
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

async function readControlBody({ body }: ControlRoute, request: Request): Promise<unknown> {
  if (!body) return undefined
  const content = readContent(request.headers.get('content-type'), await readBody(request))
  if (!content.ok) throw content.error
  const parsed = body.safeParse(content.value)
  if (parsed.success) return parsed.data
  throw new ServiceRefusal('INVALID_PARAMETERS', describeIssues(parsed.error.issues, content.value, 'body').join('; '))
}

function refuse(error: unknown, requestId: string): Answer {
  if (error instanceof ServiceRefusal) return renderRefusal(error, undefined)
  logFailure(error, { requestId })
  return renderUnforeseen(error, undefined)
}
