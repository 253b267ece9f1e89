import { HydrationBoundary } from '@tanstack/react-query'
import { PayoutReceiptScreen } from '#components/payouts/detail/payout-receipt.tsx'
import { routes } from '#lib/shared/routes.ts'
import { decoded, environmentOf, prefetch, read } from '../../../prefetch.ts'

export const metadata = { title: 'Payout receipt' }

export default async function PayoutReceiptPage({ params }: PageProps<'/[environment]/payouts/[payoutId]/receipt'>) {
  const { environment: name, payoutId } = await decoded(params)
  const environment = environmentOf(name)
  const state = await prefetch(routes.payoutReceipt(environment, payoutId), read('readPayout', environment, payoutId))
  return (
    <HydrationBoundary state={state}>
      <PayoutReceiptScreen environment={environment} payoutId={payoutId} />
    </HydrationBoundary>
  )
}
