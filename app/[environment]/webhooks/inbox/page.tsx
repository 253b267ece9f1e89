import { inboxList } from '#components/webhooks/inbox-params.ts'
import { InboxScreen } from '#components/webhooks/inbox-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readParams } from '../../prefetch.tsx'

export const metadata = { title: 'Event inbox' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'inbox', routes.inbox(environment), search)
  const filters = await readParams(inboxList, search)
  return {
    here: routes.inbox(environment, search),
    reads: [read('listInbox', environment, filters)],
    screen: <InboxScreen />,
  }
})
