import { PayoutScreen } from '#components/payouts/detail/payout-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readPart } from '../../prefetch.tsx'

export const metadata = { title: 'Payout' }

export default page<'payoutId'>(({ environment, payoutId }) => ({
  here: routes.payout(environment, payoutId),
  reads: [read('readPayout', environment, payoutId), readPart('listNotes', environment, 'payout', payoutId)],
  screen: <PayoutScreen payoutId={payoutId} />,
}))
