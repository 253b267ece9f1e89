import { defineReads, list, sensitiveRecord } from './read.ts'
import { choice, dateRange, defineSearch, id, text } from './search.ts'

export const inboxSearch = defineSearch({
  event: text(200),
  cardAccountId: id,
  cardId: id,
  kind: choice('unknown', 'waiting', 'duplicated'),
  ...dateRange,
})

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
