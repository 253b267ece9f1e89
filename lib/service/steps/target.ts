import type { Connection } from '#lib/shared/connections.ts'

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
