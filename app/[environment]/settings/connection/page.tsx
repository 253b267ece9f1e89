import { HydrationBoundary } from '@tanstack/react-query'
import { ConnectionScreen } from '#components/connection/connection-screen.tsx'
import { deviationList } from '#components/connection/connection-text.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read, searchOf } from '../../prefetch.ts'

export const metadata = { title: 'Connection' }

export default async function ConnectionPage({
  params,
  searchParams,
}: PageProps<'/[environment]/settings/connection'>) {
  const environment = environmentOf((await params).environment)
  const filters = await searchOf(deviationList, searchParams)
  const state = await prefetch(
    routes.connection(environment, await searchParams),
    read('readConnection', environment),
    read('listDeviations', environment, filters),
  )
  return (
    <HydrationBoundary state={state}>
      <ConnectionScreen environment={environment} />
    </HydrationBoundary>
  )
}
