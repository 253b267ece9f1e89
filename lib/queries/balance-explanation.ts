import { queryOptions } from '@tanstack/react-query'
import type { BalanceExplanation } from '#lib/console/card-accounts/balance-explanation.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Reads all entries of an account: asked for on demand, and again when the account changed. */
export function balanceExplanationQuery(environment: Environment, cardAccountId: string) {
  return queryOptions({
    queryKey: [environment, 'card-accounts', 'balance', cardAccountId],
    queryFn: ({ signal }) =>
      readJson<BalanceExplanation>(apiRoutes.balanceExplanation(environment, cardAccountId), signal),
    refetchInterval: 60_000,
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}
