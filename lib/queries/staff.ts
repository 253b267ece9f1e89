import { queryOptions } from '@tanstack/react-query'
import type { CurrentStaff } from '#lib/console/desk/shapes.ts'
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
