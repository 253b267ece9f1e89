import { queryOptions } from '@tanstack/react-query'
import type { LabState } from '#lib/console/lab/lab.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Clock, faults and modes of the sandbox; only where the environment has a lab. */
export function labStateQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'lab', 'state'],
    queryFn: ({ signal }) => readJson<LabState>(apiRoutes.labState(environment), signal),
    retry: isWorthRetrying,
    staleTime: 5_000,
    refetchInterval: 15_000,
  })
}
