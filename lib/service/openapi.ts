import { randomUUID } from 'node:crypto'
import { endpoints } from '#lib/contract/endpoints.ts'
import { openApiDocument, type OpenApiDocument } from '#lib/contract/openapi.ts'
import type { Connection } from '#lib/shared/connections.ts'
import { type DescribedService, describedService, servicePrefix } from './service-settings.ts'
import type { PublicRequest } from './service.ts'
import { withServiceHeaders } from './steps/render.ts'
import { readTarget } from './steps/route.ts'

const documents = new Map<string, OpenApiDocument>()

/** The document of the whole interface; made once a base address. */
export function serviceDocument({ baseUrl, isBuiltIn }: DescribedService): OpenApiDocument {
  const cached = documents.get(baseUrl)
  if (cached) return cached
  const document = openApiDocument(endpoints, baseUrl, isBuiltIn ? undefined : 'The connected sandbox service')
  documents.set(baseUrl, document)
  return document
}

/** `GET /openapi.json`. Public. */
export async function serveOpenApi({ service }: PublicRequest): Promise<Response> {
  const { settings, sandboxId } = service
  // Sandboxes come and go: their documents are not kept.
  const document =
    sandboxId === undefined
      ? serviceDocument({ baseUrl: settings.baseUrl, isBuiltIn: true })
      : openApiDocument(endpoints, settings.baseUrl)
  return Response.json(document)
}

/**
 * The response of the built-in service's URL while a real service is connected: the OpenAPI document, which describes
 * that service, and a 404 with the reason for every other path.
 */
export async function handleSwitchedOff(request: Request, connection: Connection | undefined): Promise<Response> {
  const described = describedService(process.env)
  const isDocument = readTarget(request, connection, servicePrefix).path === '/openapi.json'
  if (isDocument && request.method === 'GET') {
    return withServiceHeaders(Response.json(serviceDocument(described)), randomUUID())
  }
  const message = `The built-in service is off, because SERVICE_SANDBOX_URL connects ${described.baseUrl}. Send the request there.`
  return withServiceHeaders(Response.json({ code: 'NOT_FOUND', message }, { status: 404 }), randomUUID())
}
