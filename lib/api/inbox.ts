import { defineReads, list, sensitiveRecord } from './read.ts'

export const inboxReads = defineReads({
  listInbox: {
    path: 'webhooks/inbox',
    needs: 'webhooks.read',
    poll: { ...list, staleAfter: 2_000 },
    staleOn: { inbox: true, webhooks: true },
  },
  readInboxEvent: {
    path: 'webhooks/inbox/[eventId]',
    needs: 'webhooks.read',
    poll: { staleAfter: 60_000 },
    staleOn: { webhooks: true },
    sensitive: sensitiveRecord('event'),
  },
})
