import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  AggregateBalances,
  CardAccountDetail,
  CardAccountFilters,
  CardAccountList,
  MetadataKeys,
} from '#lib/console/card-accounts/list.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

const shared = { retry: isWorthRetrying, staleTime: 5_000 }

export function cardAccountListQuery(environment: Environment, filters: CardAccountFilters) {
  return queryOptions({
    queryKey: [environment, 'card-accounts', 'list', filters],
    queryFn: ({ signal }) => readJson<CardAccountList>(apiRoutes.cardAccounts(environment, filters), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    ...shared,
  })
}

/** All balances, or those per value of a metadata key. */
export function aggregateBalancesQuery(environment: Environment, groupKey: string | null) {
  return queryOptions({
    queryKey: [environment, 'card-accounts', 'aggregate-balances', groupKey],
    queryFn: ({ signal }) =>
      readJson<AggregateBalances>(apiRoutes.aggregateBalances(environment, { groupKey }), signal),
    placeholderData: keepPreviousData,
    ...shared,
  })
}

export function metadataKeysQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'card-accounts', 'metadata-keys'],
    queryFn: ({ signal }) => readJson<MetadataKeys>(apiRoutes.metadataKeys(environment), signal),
    ...shared,
    staleTime: 60_000,
  })
}

export function cardAccountQuery(environment: Environment, cardAccountId: string) {
  return queryOptions({
    queryKey: [environment, 'card-accounts', 'detail', cardAccountId],
    queryFn: ({ signal }) => readJson<CardAccountDetail>(apiRoutes.cardAccount(environment, cardAccountId), signal),
    refetchInterval: 15_000,
    ...shared,
  })
}
