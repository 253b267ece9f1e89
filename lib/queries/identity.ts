import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { IdentityCase, IdentityFilters, IdentityList } from '#lib/console/identity/read.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

const shared = { retry: isWorthRetrying, staleTime: 5_000, refetchInterval: 15_000 }

export function identityListQuery(environment: Environment, filters: IdentityFilters) {
  return queryOptions({
    queryKey: [environment, 'identity', 'list', filters],
    queryFn: ({ signal }) => readJson<IdentityList>(apiRoutes.identity(environment, filters), signal),
    placeholderData: keepPreviousData,
    ...shared,
  })
}

export function identityCaseQuery(environment: Environment, cardAccountId: string) {
  return queryOptions({
    queryKey: [environment, 'identity', 'detail', cardAccountId],
    queryFn: ({ signal }) => readJson<IdentityCase>(apiRoutes.identityCase(environment, cardAccountId), signal),
    ...shared,
  })
}
