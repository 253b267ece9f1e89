import { queryOptions } from '@tanstack/react-query'
import type { ServiceHealth } from '#lib/console/service-health.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Whether the environment's service answers; production is `connected: false` with the settings that are missing. */
export function serviceHealthQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'service-health'],
    queryFn: ({ signal }) => readJson<ServiceHealth>(apiRoutes.serviceHealth(environment), signal),
    refetchInterval: 10_000,
    retry: isWorthRetrying,
  })
}
