import { unsettledPayouts } from '#components/operations/unsettled-params.ts'
import { PayoutListScreen } from '#components/payouts/list/payout-list-screen.tsx'
import { payoutSearch } from '#lib/api/payouts.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Payouts' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'payouts', routes.payouts(environment), search)
  const filters = await readSearch(payoutSearch, search)
  return {
    here: routes.payouts(environment, search),
    reads: [read('listPayouts', environment, filters), read('listUnsettled', environment, unsettledPayouts)],
    screen: <PayoutListScreen />,
  }
})
