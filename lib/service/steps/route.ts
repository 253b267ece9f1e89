import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import type { Connection } from '#lib/shared/connections.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { decodedSegment } from '#lib/shared/routes.ts'
import { ApiError } from '../api-error.ts'

export type Route = { name: EndpointName; row: Endpoint; params: Record<string, string> }

/** The endpoints with the patterns of their paths. */
export const endpointRoutes = endpointNames.map((name) => {
  const row = endpointRow(name)
  return { name, row, pattern: new RegExp(`^${row.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]*)')}$`) }
})

/**
 * The row of a path below the base URL, as it was on the request line. A parameter that is not validly encoded stays as it was
 * written, for the schema to refuse.
 */
export function findRoute(method: string, path: string): Result<Route, ApiError> {
  const candidates = endpointRoutes.filter(({ pattern }) => pattern.test(path))
  if (candidates.length === 0) return fail(new ApiError('NOT_FOUND', 'there is no such address'))
  const found = candidates.find(({ row }) => row.method === method)
  if (!found) {
    const allowed = [...new Set(candidates.map(({ row }) => row.method))].sort().join(', ')
    return fail(new ApiError('METHOD_NOT_ALLOWED', `this address accepts ${allowed} only`, { Allow: allowed }))
  }
  const { name, row, pattern } = found
  const parameters = Object.entries(pattern.exec(path)?.groups ?? {})
  return ok({ name, row, params: Object.fromEntries(parameters.map(([key, text]) => [key, decodedSegment(text)])) })
}

/** Where a request goes, as its request line says: frameworks normalise addresses, and what was signed must not change. */
export type Target = { uri: string; path: string; search: string }

/** `path` is what follows the prefix. Without a server of our own in front, the request's address has to do. */
export function readTarget(request: Request, connection: Connection | undefined, prefix: string): Target {
  const uri = connection?.target.startsWith('/') ? connection.target : withoutOrigin(request.url)
  const queryAt = uri.indexOf('?')
  const whole = queryAt === -1 ? uri : uri.slice(0, queryAt)
  const path = whole.startsWith(prefix) ? whole.slice(prefix.length) : whole
  return { uri, path: path || '/', search: queryAt === -1 ? '' : uri.slice(queryAt + 1) }
}

function withoutOrigin(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}
