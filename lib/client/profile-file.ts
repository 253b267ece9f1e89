import { z } from 'zod'
import { type EndpointName, endpointNames, endpointRow } from '#lib/contract/endpoints.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { type Environment, environments } from '#lib/shared/routes.ts'
import { contractNames, pathParameters, queryParameters, responseList } from './contract-names.ts'
import { contractProfile, type HeaderNames, type ServiceProfile } from './service-profile.ts'

/** One environment's part of the file. Names that are left out are the contract's. */
type ProfilePart = { [Part in keyof ServiceProfile]?: Partial<ServiceProfile[Part]> }

const fieldName = z.string('must be text').regex(/^[^\p{Cc}\s]{1,100}$/u, 'must be a name without spaces')
const headerName = z
  .string('must be text')
  .regex(/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be a header name in lower case')

function path(name: EndpointName): z.ZodType {
  const parameters = pathParameters(endpointRow(name).path)
  const needed = parameters.map((parameter) => `{${parameter}}`).join(' and ')
  return z
    .string('must be text')
    .regex(/^\/(?:[\w.~-]|\{\w+\}|\/(?!\/))*$/, 'must be a path such as /fees, without a query')
    .refine(
      (text) => pathParameters(text).toSorted().join() === parameters.toSorted().join(),
      needed === '' ? 'must have no parameters' : `must contain ${needed}, each once`,
    )
    .meta({ description: `Path of ${endpointRow(name).method} ${endpointRow(name).path}` })
}

/** The endpoints whose response is a list, or an object that holds one. */
const listEndpoints = endpointNames.filter((name) => responseList(name) !== null)

/** An object of which every key may be left out, and no other key may be given. */
function parts<Key extends string>(keys: readonly Key[], schema: (key: Key) => z.ZodType, description?: string) {
  const shape = Object.fromEntries(keys.map((key) => [key, schema(key).optional()]))
  const object = z.strictObject(shape, 'must be an object')
  return description === undefined ? object : object.meta({ description })
}

const { fields, codes } = contractNames()
/** Header names, with what each is for. */
const headers: Record<keyof HeaderNames, string> = {
  idempotencyKey: 'Sent with every change: a repeated request with the same key takes effect once.',
  replayed: 'Marks a stored response that was sent again.',
  requestId: 'The id of a request, for support cases.',
  rateLimit: 'Requests per minute.',
  rateLimitRemaining: 'Requests left in this minute.',
  rateLimitReset: 'Milliseconds until the next minute.',
  webhookSignature: 'The signature of a webhook delivery.',
}

const Part = z
  .strictObject(
    {
      paths: parts(endpointNames, path, 'Paths below the base URL, by endpoint.').optional(),
      lists: parts(
        listEndpoints,
        () => z.string('must be text').max(100),
        'The key of a response’s list, by endpoint; "" where the response is the list itself.',
      ).optional(),
      query: parts(
        endpointNames.filter((name) => queryParameters(name).length > 0),
        (name) => parts(queryParameters(name), () => fieldName),
        'Query parameters, by endpoint: the contract’s name to the service’s.',
      ).optional(),
      fields: parts(
        [...fields.keys()],
        (record) => parts([...(fields.get(record) ?? [])], () => fieldName),
        'Fields, by record: the contract’s name to the service’s.',
      ).optional(),
      values: parts(
        [...codes.keys()],
        (field) => {
          const known = codes.get(field) ?? []
          return z.record(z.string(), z.enum(known, `must be one of ${known.join(', ')}`), 'must be an object')
        },
        'Spellings of codes, by field: the service’s to the contract’s.',
      ).optional(),
      events: z
        .record(z.string(), z.enum(eventNames, `must be one of ${eventNames.join(', ')}`), 'must be an object')
        .meta({ description: 'Event names: the service’s to the contract’s.' })
        .optional(),
      headers: parts(
        Object.keys(headers) as (keyof HeaderNames)[],
        (name) => headerName.meta({ description: headers[name] }),
        'Header names, in lower case.',
      ).optional(),
      amounts: z
        .enum(['number', 'text'], 'must be number or text')
        .meta({ description: 'Whether amounts are JSON numbers or decimal text.' })
        .optional(),
    },
    'must be an object',
  )
  .meta({ id: 'ServiceNames', description: 'Names in which the service of an environment differs from the contract.' })

/** `carddesk.service.json`: the names in which the service of each environment differs from the contract. */
const ProfileFile = z
  .strictObject(
    {
      $schema: z.string().optional(),
      sandbox: Part.optional(),
      production: Part.optional(),
    },
    'must be an object',
  )
  .meta({ title: 'Carddesk: names of the connected service' })

/** The profiles of a file's text; otherwise one line for each mistake, with its JSON path. */
export function parseProfileFile(text: string): Result<Record<Environment, ServiceProfile>, string[]> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return fail([`is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`])
  }
  const parsed = ProfileFile.safeParse(json)
  if (!parsed.success) return fail(parsed.error.issues.flatMap(formatMistakes))
  const [sandbox, production] = environments.map((environment) =>
    toServiceProfile(parsed.data[environment] as ProfilePart),
  )
  return ok({ sandbox: sandbox ?? contractProfile, production: production ?? contractProfile })
}

/** The contract's names with what differs. */
export function toServiceProfile(part: ProfilePart | undefined): ServiceProfile {
  if (!part) return contractProfile
  return {
    ...contractProfile,
    ...(part as Partial<ServiceProfile>),
    headers: { ...contractProfile.headers, ...part.headers },
  }
}

/** The JSON Schema that editors check and complete the file with. @internal */
export function profileJsonSchema(): object {
  return z.toJSONSchema(ProfileFile, { io: 'input' })
}

function formatMistakes(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...at, key].join('.')} is not a known name.`)
  }
  const where = at.length === 0 ? 'the file' : at.join('.')
  return [`${where} ${issue.message}.`]
}
