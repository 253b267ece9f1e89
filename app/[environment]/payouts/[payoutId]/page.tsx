import { HydrationBoundary } from '@tanstack/react-query'
import { PayoutScreen } from '#components/payouts/detail/payout-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { decoded, environmentOf, prefetch, read, readPart } from '../../prefetch.ts'

export const metadata = { title: 'Payout' }

export default async function PayoutPage({ params }: PageProps<'/[environment]/payouts/[payoutId]'>) {
  const { environment: name, payoutId } = await decoded(params)
  const environment = environmentOf(name)
  const state = await prefetch(
    routes.payout(environment, payoutId),
    read('readPayout', environment, payoutId),
    readPart('listNotes', environment, 'payout', payoutId),
  )
  return (
    <HydrationBoundary state={state}>
      <PayoutScreen environment={environment} payoutId={payoutId} />
    </HydrationBoundary>
  )
}
