import { queryOptions } from '@tanstack/react-query'
import type { Operation } from '#lib/console/desk/operations/read.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Asked again every 2 s while the outcome is open: reading an operation settles it where that is possible. */
export function operationQuery(environment: Environment, operationId: string) {
  return queryOptions({
    queryKey: [environment, 'operations', operationId],
    queryFn: ({ signal }) => readJson<Operation>(apiRoutes.operation(environment, operationId), signal),
    refetchInterval: ({ state: { data } }) =>
      data && (data.outcome.state === 'unknown' || data.outcome.state === 'running') ? 2_000 : false,
    retry: isWorthRetrying,
  })
}
