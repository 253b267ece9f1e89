import { createLoader } from 'nuqs/server'
import { inboxParams } from '#components/webhooks/inbox-params.ts'

export const loadInboxParams = createLoader(inboxParams)
