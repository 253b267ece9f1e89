import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpointRow, type BodyOf, type EndpointName, type ParamsOf, type QueryOf } from '#lib/contract/endpoints.ts'
import { sha256Hex } from '#lib/signing/digest.ts'

type Part<Key extends string, Value> = undefined extends Value
  ? { [K in Key]?: undefined }
  : object extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value }

/** What a caller gives for an endpoint: the path parameters, query and body that its row names. */
export type EndpointInput<Name extends EndpointName> = Part<'params', ParamsOf<Name>> &
  Part<'query', QueryOf<Name>> &
  Part<'body', BodyOf<Name>>

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

/** Makes the request of an endpoint. Throws `TypeError` where a path parameter or the body cannot be sent as given. */
export function prepare<Name extends EndpointName>(name: Name, input: EndpointInput<Name>): Prepared<Name> {
  const { params, query, body }: { params?: object; query?: object; body?: unknown } = input
  return prepareBytes(name, endpointRow(name).body ? bytesOf(name, body) : null, { params, query })
}

/** The request of an endpoint with the bytes of its body as they were kept, for sending the same again. */
export function prepareBytes<Name extends EndpointName>(
  name: Name,
  bytes: Uint8Array | null,
  { params, query }: { params?: object | undefined; query?: object | undefined } = {},
): Prepared<Name> {
  const { method, path } = endpointRow(name)
  return {
    name,
    method,
    path: `${pathOf(path, new Map(Object.entries(params ?? {})))}${queryOf(query ?? {})}`,
    bytes,
    bodySha256: sha256Hex(bytes ?? ''),
  }
}

function bytesOf(name: EndpointName, body: unknown): Uint8Array {
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError(`${name} needs a body`)
  return new TextEncoder().encode(text)
}

function pathOf(template: string, params: ReadonlyMap<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params.get(name)
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
      throw new TypeError(`The path parameter ${name} cannot stand in a path`)
    }
    return encodeURIComponent(value)
  })
}

/** In the order given, the key repeated for an array; what is undefined or null is left out, what is empty is not. */
function queryOf(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item))
    }
  }
  return search.size > 0 ? `?${search}` : ''
}
