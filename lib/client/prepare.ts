import { z } from 'zod'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpointRow, type BodyOf, type EndpointName, type ParamsOf, type QueryOf } from '#lib/contract/endpoints.ts'
import { amount } from '#lib/shared/money.ts'
import { bodyHash } from '#lib/signing/digest.ts'
import { listCodes, innerSchema, isDecimal, recordName, requestCodeFields } from './contract-names.ts'
import { contractProfile, isContractProfile, serviceSpelling, type ServiceProfile } from './service-profile.ts'

type Part<Key extends string, Value> = undefined extends Value
  ? { [K in Key]?: undefined }
  : object extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value }

/** The input for an endpoint: the path parameters, query and body that its row names. */
export type EndpointInput<Name extends EndpointName> = Part<'params', ParamsOf<Name>> &
  Part<'query', QueryOf<Name>> &
  Part<'body', BodyOf<Name>>

/**
 * The input for an endpoint that is known by its name alone, from parts of JSON: a form, a stored request, a scenario's step. What
 * cannot be sent is refused by `prepare`, and what the service cannot take by the service.
 */
export function inputFor<Name extends EndpointName>(
  _endpoint: Name,
  parts: { params?: object; query?: object; body?: unknown },
): EndpointInput<Name> {
  return parts as EndpointInput<Name>
}

/**
 * A request as it will be sent, plain data for a journal. `path` is below the base address, query included; `bytes` are
 * serialised once: these are hashed, signed and sent, by every attempt.
 */
export type Prepared<Name extends EndpointName = EndpointName> = {
  name: Name
  method: Endpoint['method']
  path: string
  bytes: Uint8Array | null
  bodySha256: string
}

/**
 * Makes the request of an endpoint, with the names that the profile gives. Throws `TypeError` where a path parameter or the
 * body cannot be sent as given.
 */
export function prepare<Name extends EndpointName>(
  name: Name,
  input: EndpointInput<Name>,
  profile: ServiceProfile = contractProfile,
): Prepared<Name> {
  const { params, query, body }: { params?: object; query?: object; body?: unknown } = input
  const schema = endpointRow(name).body
  const bytes = schema ? toBytes(name, encodeBody(name, schema, body, profile)) : null
  return prepareBytes(name, bytes, { params, query }, profile)
}

/** The request of an endpoint with the bytes of its body as they were stored, for sending the same bytes again. */
export function prepareBytes<Name extends EndpointName>(
  name: Name,
  bytes: Uint8Array | null,
  { params, query }: { params?: object | undefined; query?: object | undefined } = {},
  profile: ServiceProfile = contractProfile,
): Prepared<Name> {
  const { method, path } = endpointRow(name)
  const template = profile.paths[name] ?? path
  return {
    name,
    method,
    path: `${fillPath(template, new Map(Object.entries(params ?? {})))}${toQuery(name, query ?? {}, profile)}`,
    bytes,
    bodySha256: bodyHash(bytes),
  }
}

function toBytes(name: EndpointName, body: unknown): Uint8Array {
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError(`${name} needs a body`)
  return new TextEncoder().encode(text)
}

/** The body with the profile's field names, code spellings and form of amounts. Values that fit no schema stay as given. */
function encodeBody(name: EndpointName, schema: z.ZodType, body: unknown, profile: ServiceProfile): unknown {
  if (isContractProfile(profile)) return body
  const encode = (given: z.ZodType, value: unknown, key: string): unknown => {
    const field = innerSchema(given)
    if (Array.isArray(value)) {
      const list = optionFor(field, (option) => option instanceof z.ZodArray)
      return list instanceof z.ZodArray ? value.map((item) => encode(list.element as z.ZodType, item, key)) : value
    }
    if (typeof value === 'number')
      return profile.amounts === 'text' && isDecimal(field) ? amount(value).toFixed() : value
    if (typeof value === 'string') return encodeText(name, field, value, key, profile)
    if (typeof value !== 'object' || value === null) return value
    const object = optionFor(field, (option) => option instanceof z.ZodObject)
    if (!(object instanceof z.ZodObject)) return value
    const record = recordName(object, key)
    const renamed = profile.fields[record] ?? {}
    return Object.fromEntries(
      Object.entries(value).map(([part, inner]) => {
        const of: unknown = object.shape[part]
        return [renamed[part] ?? part, of instanceof z.ZodType ? encode(of, inner, `${record}.${part}`) : inner]
      }),
    )
  }
  return encode(schema, body, name)
}

function encodeText(
  name: EndpointName,
  schema: z.ZodType,
  text: string,
  key: string,
  { values, events }: ServiceProfile,
): string {
  if (key === 'createWebhook.events') return serviceSpelling(events, text)
  return listCodes(schema) ? serviceSpelling(findSpellings(name, key, values), text) : text
}

function findSpellings(name: EndpointName, key: string, values: ServiceProfile['values']) {
  if (Object.keys(values).length === 0) return undefined
  const field = requestCodeFields(name, key).find((known) => values[known])
  return field === undefined ? undefined : values[field]
}

function optionFor(schema: z.ZodType, fits: (option: z.ZodType) => boolean): z.ZodType | undefined {
  if (!(schema instanceof z.ZodUnion)) return schema
  return (schema.options as z.ZodType[]).map(innerSchema).find(fits)
}

function fillPath(template: string, params: ReadonlyMap<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params.get(name)
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
      throw new TypeError(`The path parameter ${name} cannot be in a path`)
    }
    return encodeURIComponent(value)
  })
}

/**
 * In the given order, with the key repeated for an array; undefined and null values are left out, empty ones are not.
 */
function toQuery(name: EndpointName, query: object, { query: names, values }: ServiceProfile): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    const spellings = findSpellings(name, key, values)
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue
      search.append(names[name]?.[key] ?? key, serviceSpelling(spellings, String(item)))
    }
  }
  return search.size > 0 ? `?${search}` : ''
}
