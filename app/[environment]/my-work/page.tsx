import { HydrationBoundary } from '@tanstack/react-query'
import { MyWorkScreen } from '#components/my-work/my-work-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'

export const metadata = { title: 'My work' }

export default async function MyWorkPage({ params }: PageProps<'/[environment]/my-work'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.myWork(environment), read('readMyWork', environment))
  return (
    <HydrationBoundary state={state}>
      <MyWorkScreen environment={environment} />
    </HydrationBoundary>
  )
}
