import { queryOptions } from '@tanstack/react-query'
import type { LimitsStart } from '#lib/console/limits/left-over.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** What the form of limits begins with. It is read once: what was typed since is the person's. */
export function limitsStartQuery(environment: Environment, job: string | null) {
  return queryOptions({
    queryKey: [environment, 'limits-start', job],
    queryFn: ({ signal }) => readJson<LimitsStart>(apiRoutes.limitsStart(environment, { job }), signal),
    retry: isWorthRetrying,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
