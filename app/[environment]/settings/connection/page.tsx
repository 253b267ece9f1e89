import { ConnectionScreen } from '#components/connection/connection-screen.tsx'
import { deviationSearch } from '#lib/api/connection.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readSearch } from '../../prefetch.tsx'

export const metadata = { title: 'Connection' }

export default page(async ({ environment, search }) => {
  const filters = await readSearch(deviationSearch, search)
  return {
    here: routes.connection(environment, search),
    reads: [read('readConnection', environment), read('listDeviations', environment, filters)],
    screen: <ConnectionScreen />,
  }
})
