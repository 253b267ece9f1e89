import { HydrationBoundary } from '@tanstack/react-query'
import { LabScreen } from '#components/lab/lab-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'

export const metadata = { title: 'QA lab' }

export default async function LabPage({ params }: PageProps<'/[environment]/lab'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.lab(environment), read('readLabDetails', environment))
  return (
    <HydrationBoundary state={state}>
      <LabScreen environment={environment} />
    </HydrationBoundary>
  )
}
