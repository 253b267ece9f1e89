import 'server-only'
import { inboxReads } from '#lib/api/inbox.ts'
import { implement } from '#lib/gate/implement.ts'
import { listInbox, readInboxEvent } from './read.ts'

export const inboxApi = implement(inboxReads, { listInbox, readInboxEvent })
