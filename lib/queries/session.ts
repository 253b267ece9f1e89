import { queryOptions } from '@tanstack/react-query'
import type { CurrentStaff, SessionActivity } from '#lib/auth/types.ts'
import { apiRoutes } from '#lib/shared/routes.ts'
import { readJson } from './read.ts'

/** Who is signed in and what this person may do: 401 once the session is over. */
export function currentStaffQuery() {
  return queryOptions({
    queryKey: ['current-staff'],
    queryFn: ({ signal }) => readJson<CurrentStaff>(apiRoutes.currentStaff(), signal),
    staleTime: 30_000,
  })
}

/** Reads how long the session lasts, or reports activity. Null where the console does not respond. */
export async function requestSession(method: 'GET' | 'POST'): Promise<SessionActivity | 'signed-out' | null> {
  const response = await fetch(apiRoutes.sessionActivity(), { method, cache: 'no-store' }).catch(() => null)
  if (response?.status === 401) return 'signed-out'
  return response?.ok ? ((await response.json().catch(() => null)) as SessionActivity | null) : null
}
