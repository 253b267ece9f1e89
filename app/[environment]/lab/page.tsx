import { HydrationBoundary } from '@tanstack/react-query'
import { LabScreen } from '#components/lab/lab-screen.tsx'
import { readLabState, requireLab } from '#lib/console/lab/lab.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, readAs } from '../prefetch.ts'

export const metadata = { title: 'QA lab' }

export default async function LabPage({ params }: PageProps<'/[environment]/lab'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(
    routes.lab(environment),
    readAs(readQuery('readLabState', environment), async () => {
      await requireLab(environment)
      return readLabState(environment)
    }),
  )
  return (
    <HydrationBoundary state={state}>
      <LabScreen environment={environment} />
    </HydrationBoundary>
  )
}
