import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FeeDetail, FeeFilters, FeePage, FeeTotals } from '#lib/console/fees/list.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

const shared = { retry: isWorthRetrying, staleTime: 5_000 }

export function feesQuery(environment: Environment, filters: FeeFilters = {}) {
  return queryOptions({
    queryKey: [environment, 'fees', 'list', filters],
    queryFn: ({ signal }) => readJson<FeePage>(apiRoutes.fees(environment, filters), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    ...shared,
  })
}

/** Sums of everything that the filter matches, whatever page of it is shown. */
export function feeTotalsQuery(environment: Environment, { pageToken: _pageToken, ...filters }: FeeFilters = {}) {
  return queryOptions({
    queryKey: [environment, 'fees', 'totals', filters],
    queryFn: ({ signal }) => readJson<FeeTotals>(apiRoutes.feeTotals(environment, filters), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    ...shared,
  })
}

/** A fee with its account's balance, read anew whenever somebody opens it. */
export function feeQuery(environment: Environment, feeId: string) {
  return queryOptions({
    queryKey: [environment, 'fees', 'detail', feeId],
    queryFn: ({ signal }) => readJson<FeeDetail>(apiRoutes.fee(environment, feeId), signal),
    retry: isWorthRetrying,
    staleTime: 0,
  })
}
