import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { commonErrors, errorTable, type ErrorCode } from './errors.ts'
import { Delivery, eventTable, webhookSignatureHeader } from './events.ts'

/** The part of JSON Schema that the contract's schemas use. */
export type JsonSchema = {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  id?: string
  type?: string | string[]
  enum?: readonly unknown[]
  const?: unknown
  description?: string
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: unknown
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
}

export type OpenApiParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

type OpenApiContent = { 'application/json': { schema: JsonSchema } }

type OpenApiResponse = { description: string; headers?: object; content?: OpenApiContent }

export type OpenApiOperation = {
  operationId: string
  summary: string
  description: string
  deprecated?: true
  tags?: string[]
  parameters?: OpenApiParameter[]
  requestBody?: { required: true; content: OpenApiContent }
  responses: Record<string, OpenApiResponse>
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>

/** The OpenAPI 3.1 document of a table of endpoints. `baseUrl` is the service's base address, which ends with `/v1`. */
export function openApiDocument(endpoints: Readonly<Record<string, Endpoint>>, baseUrl: string) {
  const schemas = namedSchemas()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const tags = new Set<string>()
  for (const [name, row] of Object.entries(endpoints)) {
    const operation = toOperation(name, row, schemas)
    for (const tag of operation.tags ?? []) tags.add(tag)
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Card Issuing and Payout Service',
      version: '1.0',
      contact: { name: 'The operator of the service' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      summary: 'Card accounts, cards, fees, payouts, external metadata and webhooks.',
      description:
        'Responses may gain fields, and the sets of statuses, events and fee intents may grow: readers keep what they do not know. A 400 is permanent; a 5xx or 429 may be retried under the same idempotency key.',
    },
    servers: [{ url: baseUrl, description: 'The built-in sandbox service' }],
    security: [{ Bearer: [] }, { Basic: [] }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    webhooks: toWebhooks(schemas),
    components: { schemas: schemas.all, securitySchemes },
  }
}

/** The groups of endpoints: the first part of their paths. */
const tagDescriptions: Readonly<Record<string, string>> = {
  ping: 'Whether a caller is authenticated.',
  cardaccounts: 'Card accounts, their transactions, limits and client identities.',
  cards: 'Cards, their states and their sensitive data.',
  payouts: 'Checking, quoting, executing and listing payouts.',
  banks: 'Banks by wire code.',
  rates: 'Exchange rates.',
  accounts: 'Funding accounts of payouts, and their ledger.',
  xmetadata: 'The caller’s own references and metadata.',
  webhooks: 'Addresses that events are delivered to.',
  fees: 'Fees that were charged.',
}

const securitySchemes = {
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'RS256; claims sub (the Access Key), uri (path and query as on the request line), method, body (lower-case hex SHA-256 of the raw body), iat and exp, at most 30 seconds apart.',
  },
  Basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The sandbox alone: the Access Key as user name, an empty password.',
  },
}

type NamedSchemas = { all: Record<string, JsonSchema>; of: (schema: z.ZodType, io: 'input' | 'output') => JsonSchema }

/** Collects the schemas that have an id, and inlines every other one. */
function namedSchemas(): NamedSchemas {
  const all: Record<string, JsonSchema> = { Error: errorSchema, CardError: cardErrorSchema }
  return {
    all,
    of(schema, io) {
      const generated = z.toJSONSchema(schema, { io, override: asDocumented }) as JsonSchema & { $schema: string }
      const { $schema: _, $defs = {}, id, ...described } = generated
      for (const [name, { id: _id, ...definition }] of Object.entries($defs)) {
        // The generator's own names are for JSON's recursion, which is documented without it.
        if (!name.startsWith('__')) all[name] = pointedAtComponents(definition)
      }
      if (id === undefined) return pointedAtComponents(described)
      all[id] = pointedAtComponents(described)
      return reference(id)
    },
  }
}

function pointedAtComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function jsonContent(schema: JsonSchema): OpenApiContent {
  return { 'application/json': { schema } }
}

/** The wire form of a field whose schema describes its parsing; and responses may always gain fields. */
export function asDocumented({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: unknown
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  const { documentedAs, listOf, id } = (z.globalRegistry.get(zodSchema as z.ZodType) ?? {}) as {
    documentedAs?: JsonSchema
    listOf?: z.ZodType
    id?: string
  }
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (documentedAs) replace(jsonSchema, documentedAs)
  if (listOf) {
    const { $schema: _, ...items } = z.toJSONSchema(listOf, { io: 'input' })
    replace(jsonSchema, { type: 'array', items, minItems: 1 })
  }
  if (id === 'JsonValue') replace(jsonSchema, { id, description: 'Any JSON value.' })
}

function replace(schema: Record<string, unknown>, other: object): void {
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, other)
}

const errorSchema: JsonSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
}

const cardErrorSchema: JsonSchema = {
  type: 'object',
  properties: { statusCode: { type: 'integer' }, code: { type: 'string' }, message: { type: 'string' } },
  required: ['statusCode', 'message'],
}

function toOperation(name: string, row: Endpoint, schemas: NamedSchemas): OpenApiOperation {
  const parameters = [
    ...toParameters('path', row.params, schemas),
    ...toParameters('query', row.query, schemas),
    ...(row.method === 'POST' ? [idempotencyHeader] : []),
  ]
  return {
    operationId: name,
    summary: row.summary,
    description: [
      row.summary,
      ...(row.sandboxOnly ? ['Sandbox only; production responds with 404.'] : []),
      ...(row.rules ?? []),
    ].join('\n'),
    tags: [row.path.split('/')[1] ?? ''],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.body && { requestBody: { required: true, content: jsonContent(schemas.of(row.body, 'input')) } }),
    responses: {
      200: {
        description: 'Done.',
        headers: responseHeaders,
        content: jsonContent(schemas.of(row.response, 'output')),
      },
      ...toErrors(row),
    },
  }
}

const idempotencyHeader: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The stored response is sent again for 24 hours to the same request under the same key.',
  schema: { type: 'string' },
}

const responseHeaders = {
  'x-request-id': { description: 'Names this request in the logs.', schema: { type: 'string' } },
  'X-Ratelimit-Limit': { description: 'Requests a minute.', schema: { type: 'integer' } },
  'X-Ratelimit-Remaining': { description: 'Requests left in this minute.', schema: { type: 'integer' } },
  'X-Ratelimit-Reset': { description: 'Milliseconds until the count restarts.', schema: { type: 'integer' } },
}

function toParameters(place: 'path' | 'query', schema: z.ZodObject | undefined, schemas: NamedSchemas) {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.of(schema, 'input')
  return Object.entries(properties).map(([name, { description, ...property }]): OpenApiParameter => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
  }))
}

/** One response a status, which names its codes; only a POST can be replayed, conflict, be too large or of another type. */
function toErrors(row: Endpoint): Record<string, OpenApiResponse> {
  const postOnly: readonly ErrorCode[] = [
    'TOKEN_REPLAYED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'IDEMPOTENCY_CONFLICT',
  ]
  const common = commonErrors.filter((code) => row.method === 'POST' || !postOnly.includes(code))
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set<ErrorCode>([...row.errors, ...common])) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses = [...byStatus].sort(([a], [b]) => a - b)
  return {
    ...Object.fromEntries(responses.map(([status, codes]) => [status, toErrorResponse(row, codes)])),
    500: {
      description: row.cardErrors
        ? 'Any other failure, such as one of the card processor; the body has no code.'
        : 'A failure of the service; safe to retry under the same idempotency key.',
      content: jsonContent(reference(row.cardErrors ? 'CardError' : 'Error')),
    },
  }
}

function toErrorResponse(row: Endpoint, codes: readonly ErrorCode[]): OpenApiResponse {
  const record = row.cardErrors && codes.some((code) => row.errors.includes(code)) ? 'CardError' : 'Error'
  return {
    description: codes.map((code) => `${code}: ${errorTable[code].happened}`).join('\n'),
    content: jsonContent({ allOf: [reference(record), { properties: { code: { enum: codes } } }] }),
  }
}

/** `deliverCardUpdated` for `card.updated`: fit for a URL and for the names of generated code. */
function deliveryId(event: string): string {
  return ['deliver', ...event.split(/[.-]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

function toWebhooks(schemas: NamedSchemas): Record<string, { post: OpenApiOperation }> {
  const envelope = schemas.of(Delivery, 'output')
  const signature: OpenApiParameter = {
    name: webhookSignatureHeader,
    in: 'header',
    required: true,
    description: 'Base64 RSA-SHA256 over the raw body; verified with the service’s public key.',
    schema: { type: 'string' },
  }
  const deliveries = Object.entries(eventTable).map(([name, row]): [string, { post: OpenApiOperation }] => {
    const data = schemas.of(row.data, 'output')
    const post = {
      operationId: deliveryId(name),
      summary: row.emitted,
      description: row.emitted,
      ...('deprecated' in row && { deprecated: true as const }),
      parameters: [signature],
      requestBody: {
        required: true as const,
        content: jsonContent({ allOf: [envelope, { properties: { event: { const: name }, data } }] }),
      },
      responses: { 200: { description: 'Taken. Any other response counts as a failure and is tried again.' } },
    }
    return [name, { post }]
  })
  return Object.fromEntries(deliveries)
}
