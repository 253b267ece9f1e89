import { PayoutReceiptScreen } from '#components/payouts/detail/payout-receipt.tsx'
import { receiptTexts } from '#components/payouts/detail/receipt-texts.ts'
import { toLanguage } from '#lib/shared/locale.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../../prefetch.tsx'

export const metadata = { title: 'Payout receipt' }

export default page<'payoutId'>(({ environment, payoutId, search }) => ({
  here: routes.payoutReceipt(environment, payoutId, search),
  reads: [read('readPayout', environment, payoutId)],
  screen: <PayoutReceiptScreen payoutId={payoutId} texts={receiptTexts(toLanguage(String(search.lang)))} />,
}))
