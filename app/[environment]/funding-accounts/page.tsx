import { HydrationBoundary } from '@tanstack/react-query'
import { FundingAccountsScreen } from '#components/funding-accounts/funding-accounts-screen.tsx'
import { ledgerList } from '#components/funding-accounts/ledger-labels.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, prefetch, read, readPart, searchOf } from '../prefetch.ts'

export const metadata = { title: 'Funding accounts' }

type Props = PageProps<'/[environment]/funding-accounts'>

export default async function FundingAccountsPage({ params, searchParams }: Props) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'account-ledger', routes.fundingAccounts(environment), searchParams)
  const filters = await searchOf(ledgerList, searchParams)
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
