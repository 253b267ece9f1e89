import { HydrationBoundary } from '@tanstack/react-query'
import { OpenAccountScreen } from '#components/card-accounts/open/open-account-screen.tsx'
import { requireOpening } from '#lib/console/card-accounts/operations.ts'
import { routes } from '#lib/shared/routes.ts'
import { parseEnvironment, prefetch, read } from '../../prefetch.tsx'

export const metadata = { title: 'Open card account' }

export default async function OpenAccountPage({ params, searchParams }: PageProps<'/[environment]/card-accounts/new'>) {
  const environment = parseEnvironment((await params).environment)
  const state = await prefetch(
    routes.openAccount(environment, await searchParams),
    () => requireOpening(environment),
    read('listIndividualLists', environment),
  )
  const draftKey = await requireOpening(environment).catch(() => '')
  return (
    <HydrationBoundary state={state}>
      <OpenAccountScreen draftKey={draftKey} />
    </HydrationBoundary>
  )
}
