import { HydrationBoundary } from '@tanstack/react-query'
import { PayoutListScreen } from '#components/payouts/list/payout-list-screen.tsx'
import { payoutList } from '#components/payouts/list/payout-params.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, prefetch, read, searchOf } from '../prefetch.ts'

export const metadata = { title: 'Payouts' }

export default async function PayoutsPage({ params, searchParams }: PageProps<'/[environment]/payouts'>) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'payouts', routes.payouts(environment), searchParams)
  const filters = await searchOf(payoutList, searchParams)
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
