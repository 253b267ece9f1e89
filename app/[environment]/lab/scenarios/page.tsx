import { HydrationBoundary } from '@tanstack/react-query'
import { ScenariosScreen } from '#components/lab/scenarios/scenarios-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Scenarios' }

export default async function ScenariosPage({ params }: PageProps<'/[environment]/lab/scenarios'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.scenarios(environment), read('listScenarios', environment))
  return (
    <HydrationBoundary state={state}>
      <ScenariosScreen environment={environment} />
    </HydrationBoundary>
  )
}
