import { HydrationBoundary } from '@tanstack/react-query'
import { IdentityListScreen } from '#components/identity/identity-list-screen.tsx'
import { identityFilters } from '#components/identity/identity-params.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'
import { loadIdentityParams } from './search-params.ts'

export const metadata = { title: 'Identity' }

export default async function IdentityPage({ params, searchParams }: PageProps<'/[environment]/identity'>) {
  const environment = environmentOf((await params).environment)
  const filters = identityFilters(await loadIdentityParams(searchParams))
  const state = await prefetch(
    routes.identity(environment, await searchParams),
    read('listIdentities', environment, filters),
  )
  return (
    <HydrationBoundary state={state}>
      <IdentityListScreen environment={environment} />
    </HydrationBoundary>
  )
}
