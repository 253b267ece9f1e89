import { HydrationBoundary } from '@tanstack/react-query'
import { feeList } from '#components/fees/fee-params.ts'
import { FeesScreen } from '#components/fees/fees-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, prefetch, read, searchOf } from '../prefetch.ts'

export const metadata = { title: 'Fees' }

export default async function FeesPage({ params, searchParams }: PageProps<'/[environment]/fees'>) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'fees', routes.fees(environment), searchParams)
  const filters = await searchOf(feeList, searchParams)
  const { pageToken: _pageToken, ...matching } = filters
  const state = await prefetch(
    routes.fees(environment, await searchParams),
    read('listFees', environment, filters),
    read('readFeeTotals', environment, matching),
  )
  return (
    <HydrationBoundary state={state}>
      <FeesScreen environment={environment} />
    </HydrationBoundary>
  )
}
