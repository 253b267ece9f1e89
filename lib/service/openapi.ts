import { endpoints } from '#lib/contract/endpoints.ts'
import { openApiDocument, type OpenApiDocument } from '#lib/contract/openapi.ts'
import type { PublicRequest } from './service.ts'
import type { DescribedService } from './settings.ts'

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
  const { baseUrl } = service.settings
  return openApiResponse({ baseUrl, isBuiltIn: true })
}

export function openApiResponse(described: DescribedService): Response {
  return Response.json(serviceDocument(described))
}
