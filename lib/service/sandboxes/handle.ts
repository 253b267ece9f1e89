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
    const [, id, part] = pathPattern.exec(readTarget(request, connection, sandboxesPrefix).path) ?? []
    if (id === undefined) throw new ApiError('NOT_FOUND', 'there is no such address')
    await requireSandbox(service, id)
    return await handlers[part as keyof typeof handlers](request, connection, serviceInSandbox(service, id))
  } catch (error) {
    const requestId = randomUUID()
    return withServiceHeaders(toResponse(renderError(error, undefined, requestId)), requestId)
  }
}
