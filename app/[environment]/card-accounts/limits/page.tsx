import { HydrationBoundary } from '@tanstack/react-query'
import { limitLineList } from '#components/limits/limits-params.ts'
import { LimitsScreen } from '#components/limits/limits-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Limits by CSV' }

export default async function LimitsPage({ params, searchParams }: PageProps<'/[environment]/card-accounts/limits'>) {
  const environment = environmentOf((await params).environment)
  const { job } = await limitLineList.load(searchParams)
  const state = await prefetch(
    routes.limits(environment, await searchParams),
    read('limitsStart', environment, job ? { job } : {}),
  )
  return (
    <HydrationBoundary state={state}>
      <LimitsScreen environment={environment} />
    </HydrationBoundary>
  )
}
