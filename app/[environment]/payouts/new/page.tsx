import { HydrationBoundary } from '@tanstack/react-query'
import { NewPayoutScreen } from '#components/payouts/new/new-payout-screen.tsx'
import { readPayoutOffer } from '#lib/console/payouts/operations.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'New payout' }

export default async function NewPayoutPage({ params, searchParams }: PageProps<'/[environment]/payouts/new'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(
    routes.newPayout(environment, await searchParams),
    read('listFundingAccounts', environment),
  )
  const { isOffered } = await readPayoutOffer(environment)
  return (
    <HydrationBoundary state={state}>
      <NewPayoutScreen environment={environment} isOffered={isOffered} />
    </HydrationBoundary>
  )
}
