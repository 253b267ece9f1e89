import { randomUUID } from 'node:crypto'
import type { Connection } from '#lib/shared/connections.ts'
import { ApiError } from '../api-error.ts'
import { handleControl } from '../control/handle.ts'
import { handleService } from '../handle.ts'
import { sandboxesPrefix } from '../service-settings.ts'
import { runningService, type Service } from '../service.ts'
import { renderError, toResponse, withServiceHeaders } from '../steps/render.ts'
import { readTarget } from '../steps/route.ts'
import { requireSandbox, serviceInSandbox } from './sandboxes.ts'

const pathPattern = /^\/([^/]+)\/(v1|control)(?=\/|$)/
const handlers = { v1: handleService, control: handleControl }
type Part = keyof typeof handlers

/** The sandbox that a path below `/service/sandboxes` leads to, as a service, and the part of it. Throws `NOT_FOUND` where there is none. */
export async function requireSandboxAt(service: Service, path: string): Promise<{ sandbox: Service; part: Part }> {
  const [, id, part] = pathPattern.exec(path) ?? []
  if (id === undefined) throw new ApiError('NOT_FOUND', 'there is no such address')
  await requireSandbox(service, id)
  return { sandbox: serviceInSandbox(service, id), part: part as Part }
}

/**
 * Handles a request below `/service/sandboxes/<id>`: which sandbox it is for is decided here, and from here on carried by the
 * `Service` that everything gets.
 */
export async function handleSandbox(
  request: Request,
  connection: Connection | undefined,
  service: Service = runningService(),
): Promise<Response> {
  try {
    const { path } = readTarget(request, connection, sandboxesPrefix)
    const { sandbox, part } = await requireSandboxAt(service, path)
    return await handlers[part](request, connection, sandbox)
  } catch (error) {
    const requestId = randomUUID()
    return withServiceHeaders(toResponse(renderError(error, undefined, requestId)), requestId)
  }
}
