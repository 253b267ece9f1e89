import { HydrationBoundary } from '@tanstack/react-query'
import { inboxList } from '#components/webhooks/inbox-params.ts'
import { InboxScreen } from '#components/webhooks/inbox-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, prefetch, read, searchOf } from '../../prefetch.ts'

export const metadata = { title: 'Event inbox' }

export default async function InboxPage({ params, searchParams }: PageProps<'/[environment]/webhooks/inbox'>) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'inbox', routes.inbox(environment), searchParams)
  const filters = await searchOf(inboxList, searchParams)
  const state = await prefetch(routes.inbox(environment, await searchParams), read('listInbox', environment, filters))
  return (
    <HydrationBoundary state={state}>
      <InboxScreen environment={environment} />
    </HydrationBoundary>
  )
}
