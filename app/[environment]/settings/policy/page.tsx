import { HydrationBoundary } from '@tanstack/react-query'
import { PolicyScreen } from '#components/approvals/policy-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Policy' }

export default async function PolicyPage({ params }: PageProps<'/[environment]/settings/policy'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.policy(environment), read('readPolicy', environment))
  return (
    <HydrationBoundary state={state}>
      <PolicyScreen environment={environment} />
    </HydrationBoundary>
  )
}
