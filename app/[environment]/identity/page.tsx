import { HydrationBoundary } from '@tanstack/react-query'
import { IdentityListScreen } from '#components/identity/identity-list-screen.tsx'
import { identityList } from '#components/identity/identity-params.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, prefetch, read, searchOf } from '../prefetch.ts'

export const metadata = { title: 'Identity' }

export default async function IdentityPage({ params, searchParams }: PageProps<'/[environment]/identity'>) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'identity', routes.identity(environment), searchParams)
  const filters = await searchOf(identityList, searchParams)
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
