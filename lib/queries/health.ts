import { queryOptions } from '@tanstack/react-query'
import type { ServiceHealth } from '#lib/console/desk/connections/health.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Whether the environment's service answers; production is `connected: false` with the settings that are missing. */
export function serviceHealthQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'service-health'],
    queryFn: ({ signal }) => readJson<ServiceHealth>(apiRoutes.serviceHealth(environment), signal),
    // The first page of a process is drawn before anything was read from the service.
    refetchInterval: ({ state: { data } }) => (isUnchecked(data) ? 2000 : 10_000),
    retry: isWorthRetrying,
  })
}

function isUnchecked(health: ServiceHealth | undefined): boolean {
  return health?.connected === true && health.lastAnswerAt === null && health.unreachableSince === null
}
