import { endpoints } from '#lib/contract/endpoints.ts'
import { openApiDocument, type OpenApiDocument } from '#lib/contract/openapi.ts'
import type { PublicRequest } from './public-routes.ts'

const documents = new Map<string, OpenApiDocument>()

/** The document of the whole interface; made once an address. */
export function serviceDocument(baseUrl: string): OpenApiDocument {
  const known = documents.get(baseUrl)
  if (known) return known
  const document = openApiDocument(endpoints, baseUrl)
  documents.set(baseUrl, document)
  return document
}

/** `GET /openapi.json`, for anybody. */
export async function answerOpenApi({ service }: PublicRequest): Promise<Response> {
  return Response.json(serviceDocument(service.settings.baseUrl))
}
