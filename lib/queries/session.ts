import type { SessionActivity } from '#lib/console/desk/shapes.ts'
import { apiRoutes } from '#lib/shared/routes.ts'

/** Reads how long the session lasts, or reports activity. Null where the console does not respond. */
export async function requestSession(method: 'GET' | 'POST'): Promise<SessionActivity | 'signed-out' | null> {
  const response = await fetch(apiRoutes.sessionActivity(), { method, cache: 'no-store' }).catch(() => null)
  if (response?.status === 401) return 'signed-out'
  return response?.ok ? ((await response.json().catch(() => null)) as SessionActivity | null) : null
}
