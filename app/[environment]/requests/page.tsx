import { HydrationBoundary } from '@tanstack/react-query'
import { requestList } from '#components/requests/requests-params.ts'
import { RequestsScreen } from '#components/requests/requests-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read, searchOf } from '../prefetch.ts'

export const metadata = { title: 'API requests' }

export default async function RequestsPage({ params, searchParams }: PageProps<'/[environment]/requests'>) {
  const environment = environmentOf((await params).environment)
  const filters = await searchOf(requestList, searchParams)
  const here = routes.requests(environment, await searchParams)
  const state = await prefetch(here, read('listRequests', environment, filters))
  return (
    <HydrationBoundary state={state}>
      <RequestsScreen environment={environment} />
    </HydrationBoundary>
  )
}
