import { queryOptions } from '@tanstack/react-query'
import type { Overview } from '#lib/console/overview.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

export function overviewQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'overview'],
    queryFn: ({ signal }) => readJson<Overview>(apiRoutes.overview(environment), signal),
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}
