import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Connection, DeviationFilters, DeviationList } from '#lib/console/connection/read.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Which service is connected, its webhooks and the last check. */
export function connectionQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'connection', 'page'],
    queryFn: ({ signal }) => readJson<Connection>(apiRoutes.connection(environment), signal),
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 2_000,
  })
}

/** Where responses differ from the contract. */
export function deviationsQuery(environment: Environment, filters: DeviationFilters = {}) {
  return queryOptions({
    queryKey: [environment, 'connection', 'deviations', filters],
    queryFn: ({ signal }) => readJson<DeviationList>(apiRoutes.deviations(environment, filters), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 2_000,
  })
}
