import { RequestsScreen } from '#components/requests/requests-screen.tsx'
import { requestSearch } from '#lib/api/requests.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'API requests' }

export default page(async ({ environment, search }) => {
  const filters = await readSearch(requestSearch, search)
  return {
    here: routes.requests(environment, search),
    reads: [read('listRequests', environment, filters)],
    screen: <RequestsScreen />,
  }
})
