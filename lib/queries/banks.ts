import { queryOptions } from '@tanstack/react-query'
import type { BankRecord, PayoutBanks } from '#lib/console/banks.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Banks hardly ever change. */
const shared = { retry: isWorthRetrying, staleTime: 60_000 }

export function payoutBanksQuery(environment: Environment, countryCode: string) {
  return queryOptions({
    queryKey: [environment, 'banks', 'country', countryCode],
    queryFn: ({ signal }) => readJson<PayoutBanks>(apiRoutes.payoutBanks(environment, countryCode), signal),
    ...shared,
  })
}

export function bankQuery(environment: Environment, wireCode: string) {
  return queryOptions({
    queryKey: [environment, 'banks', 'wire-code', wireCode],
    queryFn: ({ signal }) => readJson<BankRecord>(apiRoutes.bank(environment, { wireCode }), signal),
    ...shared,
  })
}
