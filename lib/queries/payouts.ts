import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PayoutFilters, PayoutList } from '#lib/console/payouts/list.ts'
import type { PayoutDetail } from '#lib/console/payouts/read.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

const shared = { refetchInterval: 15_000, retry: isWorthRetrying, staleTime: 5_000 }

export function payoutListQuery(environment: Environment, filters: PayoutFilters) {
  return queryOptions({
    queryKey: [environment, 'payouts', 'list', filters],
    queryFn: ({ signal }) => readJson<PayoutList>(apiRoutes.payouts(environment, filters), signal),
    placeholderData: keepPreviousData,
    ...shared,
  })
}

export function payoutQuery(environment: Environment, payoutId: string) {
  return queryOptions({
    queryKey: [environment, 'payouts', 'detail', payoutId],
    queryFn: ({ signal }) => readJson<PayoutDetail>(apiRoutes.payout(environment, payoutId), signal),
    ...shared,
  })
}
