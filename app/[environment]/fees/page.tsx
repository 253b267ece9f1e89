import { HydrationBoundary } from '@tanstack/react-query'
import { feeFilters } from '#components/fees/fee-params.ts'
import { FeesScreen } from '#components/fees/fees-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { pageZone } from '../card-accounts/[cardAccountId]/search-params.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'
import { loadFeeParams } from './search-params.ts'

export const metadata = { title: 'Fees' }

export default async function FeesPage({ params, searchParams }: PageProps<'/[environment]/fees'>) {
  const environment = environmentOf((await params).environment)
  const filters = feeFilters(await loadFeeParams(searchParams), await pageZone())
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
