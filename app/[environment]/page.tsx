import { HydrationBoundary } from '@tanstack/react-query'
import { OverviewScreen } from '#components/overview/overview-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from './prefetch.ts'

export const metadata = { title: 'Overview' }

export default async function OverviewPage({ params }: PageProps<'/[environment]'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.overview(environment), read('readOverview', environment))
  return (
    <HydrationBoundary state={state}>
      <OverviewScreen environment={environment} />
    </HydrationBoundary>
  )
}
