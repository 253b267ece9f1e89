import { ApiError } from './api-error.ts'
import { serveOpenApi } from './openapi.ts'
import { serveSecureContent } from './secure-content/serve.ts'
import type { PublicRequest } from './service.ts'

type PublicRoute = {
  /** Below the base address; may end in one `{name}` segment. */
  path: `/${string}`
  response: (request: PublicRequest) => Promise<Response>
}

/** The GET routes that need no authentication. */
const publicRoutes: readonly PublicRoute[] = [
  { path: '/openapi.json', response: serveOpenApi },
  { path: '/secure-content/{id}', response: serveSecureContent },
]

/** The open route of a path. Throws `METHOD_NOT_ALLOWED` for another method than GET. */
export function findPublicRoute(method: string, path: string): { route: PublicRoute; id: string } | null {
  const found = publicRoutes.flatMap((route) => {
    const id = idIn(path, route.path)
    return id === null ? [] : [{ route, id }]
  })[0]
  if (!found) return null
  if (method === 'GET') return found
  throw new ApiError('METHOD_NOT_ALLOWED', 'this address accepts GET only', { Allow: 'GET' })
}

/** The value of a route's `{name}`, '' where it has none; null for another path. */
function idIn(path: string, routePath: string): string | null {
  if (path === routePath) return ''
  const parameterAt = routePath.indexOf('{')
  if (parameterAt === -1 || !path.startsWith(routePath.slice(0, parameterAt))) return null
  const id = path.slice(parameterAt)
  return id === '' || id.includes('/') ? null : id
}
