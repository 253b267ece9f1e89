import { PayoutReceiptScreen } from '#components/payouts/detail/payout-receipt.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../../prefetch.tsx'

export const metadata = { title: 'Payout receipt' }

export default page<'payoutId'>(({ environment, payoutId }) => ({
  here: routes.payoutReceipt(environment, payoutId),
  reads: [read('readPayout', environment, payoutId)],
  screen: <PayoutReceiptScreen payoutId={payoutId} />,
}))
