import { randomUUID } from 'node:crypto'
import type { Connection } from '#lib/shared/connections.ts'
import { openApiResponse } from './openapi.ts'
import { describedService, servicePrefix } from './settings.ts'
import { withServiceHeaders } from './steps/render.ts'
import { readTarget } from './steps/route.ts'

/**
 * The response of the built-in service's URL while a real service is connected: the OpenAPI document, which describes
 * that service, and a 404 with the reason for every other path.
 */
export async function handleSwitchedOff(request: Request, connection: Connection | undefined): Promise<Response> {
  const described = describedService(process.env)
  const isDocument = readTarget(request, connection, servicePrefix).path === '/openapi.json'
  if (isDocument && request.method === 'GET') return withServiceHeaders(openApiResponse(described), randomUUID())
  const message = `The built-in service is off, because SERVICE_SANDBOX_URL connects ${described.baseUrl}. Send the request there.`
  return withServiceHeaders(Response.json({ code: 'NOT_FOUND', message }, { status: 404 }), randomUUID())
}
