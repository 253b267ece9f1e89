import { UnsettledScreen } from '#components/operations/unsettled-screen.tsx'
import { unsettledSearch } from '#lib/api/operations.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Outcomes not known' }

export default page(async ({ environment, search }) => {
  const filters = await readSearch(unsettledSearch, search)
  return {
    here: routes.unsettled(environment, search),
    reads: [read('listUnsettled', environment, filters)],
    screen: <UnsettledScreen />,
  }
})
