import { randomUUID } from 'node:crypto'
import { endpoints } from '#lib/contract/endpoints.ts'
import { openApiDocument, type OpenApiDocument } from '#lib/contract/openapi.ts'
import type { PublicRequest } from './service.ts'
import { withServiceHeaders } from './steps/render.ts'

const documents = new Map<string, OpenApiDocument>()

/** The document of the whole interface; made once a base address. */
export function serviceDocument(baseUrl: string): OpenApiDocument {
  const cached = documents.get(baseUrl)
  if (cached) return cached
  const document = openApiDocument(endpoints, baseUrl)
  documents.set(baseUrl, document)
  return document
}

/** `GET /openapi.json`. Public. */
export async function serveOpenApi({ service }: PublicRequest): Promise<Response> {
  const { settings, sandboxId } = service
  // Sandboxes come and go: their documents are not kept.
  const isShared = sandboxId === undefined
  return Response.json(isShared ? serviceDocument(settings.baseUrl) : openApiDocument(endpoints, settings.baseUrl))
}

/** The response of the built-in service's URLs while a real service is connected: a 404 with the reason. */
export async function handleSwitchedOff(): Promise<Response> {
  // Whoever asks is a stranger here: the address of the other one is not theirs to know.
  const message =
    'The built-in service is off, because SERVICE_SANDBOX_URL connects another one. Send the request there.'
  return withServiceHeaders(Response.json({ code: 'NOT_FOUND', message }, { status: 404 }), randomUUID())
}
