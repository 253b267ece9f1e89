import { HydrationBoundary } from '@tanstack/react-query'
import { FundingAccountsScreen } from '#components/funding-accounts/funding-accounts-screen.tsx'
import { ledgerFilters } from '#components/funding-accounts/ledger-params.ts'
import { routes } from '#lib/shared/routes.ts'
import { pageZone } from '../card-accounts/[cardAccountId]/search-params.ts'
import { environmentOf, prefetch, read, readPart } from '../prefetch.ts'
import { loadLedgerParams } from './search-params.ts'

export const metadata = { title: 'Funding accounts' }

type Props = PageProps<'/[environment]/funding-accounts'>

export default async function FundingAccountsPage({ params, searchParams }: Props) {
  const environment = environmentOf((await params).environment)
  const filters = ledgerFilters(await loadLedgerParams(searchParams), await pageZone())
  const state = await prefetch(
    routes.fundingAccounts(environment, await searchParams),
    read('listFundingAccounts', environment),
    readPart('listLedger', environment, filters),
  )
  return (
    <HydrationBoundary state={state}>
      <FundingAccountsScreen environment={environment} />
    </HydrationBoundary>
  )
}
