import { FeesScreen } from '#components/fees/fees-screen.tsx'
import { feeSearch } from '#lib/api/fees.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Fees' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'fees', routes.fees(environment), search)
  const filters = await readSearch(feeSearch, search)
  return {
    here: routes.fees(environment, search),
    reads: [read('listFees', environment, filters)],
    screen: <FeesScreen />,
  }
})
