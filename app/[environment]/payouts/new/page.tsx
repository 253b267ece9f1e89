import { HydrationBoundary } from '@tanstack/react-query'
import { NewPayoutScreen } from '#components/payouts/new/new-payout-screen.tsx'
import { isPayoutOffered } from '#lib/console/payouts/operations.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { parseEnvironment, prefetch, read } from '../../prefetch.tsx'

export const metadata = { title: 'New payout' }

export default async function NewPayoutPage({ params, searchParams }: PageProps<'/[environment]/payouts/new'>) {
  const environment = parseEnvironment((await params).environment)
  const search = await searchParams
  const repeat = typeof search.repeat === 'string' && isServiceId(search.repeat) ? search.repeat : null
  const state = await prefetch(routes.newPayout(environment, search), read('listFundingAccounts', environment))
  return (
    <HydrationBoundary state={state}>
      <NewPayoutScreen isOffered={isPayoutOffered(environment)} repeat={repeat} />
    </HydrationBoundary>
  )
}
