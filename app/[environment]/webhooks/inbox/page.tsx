import { HydrationBoundary } from '@tanstack/react-query'
import { inboxFilters } from '#components/webhooks/inbox-params.ts'
import { InboxScreen } from '#components/webhooks/inbox-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { pageZone } from '../../card-accounts/[cardAccountId]/search-params.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'
import { loadInboxParams } from './search-params.ts'

export const metadata = { title: 'Event inbox' }

export default async function InboxPage({ params, searchParams }: PageProps<'/[environment]/webhooks/inbox'>) {
  const environment = environmentOf((await params).environment)
  const filters = inboxFilters(await loadInboxParams(searchParams), await pageZone())
  const state = await prefetch(routes.inbox(environment, await searchParams), read('listInbox', environment, filters))
  return (
    <HydrationBoundary state={state}>
      <InboxScreen environment={environment} />
    </HydrationBoundary>
  )
}
