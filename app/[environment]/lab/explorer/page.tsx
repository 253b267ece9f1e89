import { HydrationBoundary } from '@tanstack/react-query'
import { ExplorerScreen } from '#components/lab/explorer/explorer-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read, readPart } from '../../prefetch.ts'
import { loadExplorerParams } from './search-params.ts'

export const metadata = { title: 'API explorer' }

export default async function ExplorerPage({ params, searchParams }: PageProps<'/[environment]/lab/explorer'>) {
  const environment = environmentOf((await params).environment)
  const { endpoint } = await loadExplorerParams(searchParams)
  const state = await prefetch(
    routes.explorer(environment, await searchParams),
    read('readExplorer', environment),
    ...(endpoint ? [readPart('readExplorerEndpoint', environment, endpoint)] : []),
  )
  return (
    <HydrationBoundary state={state}>
      <ExplorerScreen environment={environment} />
    </HydrationBoundary>
  )
}
