import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TransactionDetail } from '#lib/console/transactions/detail.ts'
import type { TransactionFilters, TransactionPage } from '#lib/console/transactions/list.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** The transactions of an account, or with `filters.cardId` of one of its cards. */
export function transactionsQuery(environment: Environment, cardAccountId: string, filters: TransactionFilters = {}) {
  return queryOptions({
    queryKey: [environment, 'card-accounts', 'transactions', cardAccountId, filters],
    queryFn: ({ signal }) =>
      readJson<TransactionPage>(apiRoutes.transactions(environment, cardAccountId, filters), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}

export function transactionQuery(environment: Environment, cardAccountId: string, transactionId: string) {
  return queryOptions({
    queryKey: [environment, 'card-accounts', 'transactions', cardAccountId, 'detail', transactionId],
    queryFn: ({ signal }) =>
      readJson<TransactionDetail>(apiRoutes.transaction(environment, cardAccountId, transactionId), signal),
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}
