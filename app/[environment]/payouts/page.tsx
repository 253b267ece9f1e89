import { HydrationBoundary } from '@tanstack/react-query'
import { PayoutListScreen } from '#components/payouts/list/payout-list-screen.tsx'
import { payoutFilters } from '#components/payouts/list/payout-params.ts'
import { routes } from '#lib/shared/routes.ts'
import { pageZone } from '../card-accounts/[cardAccountId]/search-params.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'
import { loadPayoutParams } from './search-params.ts'

export const metadata = { title: 'Payouts' }

export default async function PayoutsPage({ params, searchParams }: PageProps<'/[environment]/payouts'>) {
  const environment = environmentOf((await params).environment)
  const filters = payoutFilters(await loadPayoutParams(searchParams), await pageZone())
  const state = await prefetch(
    routes.payouts(environment, await searchParams),
    read('listPayouts', environment, filters),
  )
  return (
    <HydrationBoundary state={state}>
      <PayoutListScreen environment={environment} />
    </HydrationBoundary>
  )
}
