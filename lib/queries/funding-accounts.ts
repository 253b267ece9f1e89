import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FundingAccounts, LedgerFilters, LedgerPage } from '#lib/console/funding-accounts.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

const shared = { refetchInterval: 15_000, retry: isWorthRetrying, staleTime: 5_000 }

export function fundingAccountsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'funding-accounts', 'list'],
    queryFn: ({ signal }) => readJson<FundingAccounts>(apiRoutes.fundingAccounts(environment), signal),
    ...shared,
  })
}

/** The account ledger, of one account or of all. */
export function ledgerQuery(environment: Environment, filters: LedgerFilters = {}) {
  return queryOptions({
    queryKey: [environment, 'funding-accounts', 'ledger', filters],
    queryFn: ({ signal }) => readJson<LedgerPage>(apiRoutes.ledger(environment, filters), signal),
    placeholderData: keepPreviousData,
    ...shared,
  })
}
