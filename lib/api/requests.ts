import { defineReads, forever, sensitiveRecord } from './read.ts'
import { checked, choice, defineSearch, refuseCardNumber, uuid } from './search.ts'

export const requestSearch = defineSearch({
  /** Request ID of the service's response, or of the console's own. */
  requestId: checked(200, refuseCardNumber, 'must not be a card number'),
  operationId: uuid,
  method: choice('GET', 'POST'),
  failed: choice('true'),
  /** Requests of background work too. */
  background: choice('true'),
})

export const requestReads = defineReads({
  listRequests: {
    path: 'requests',
    needs: 'audit.read',
    poll: { every: 5_000, staleAfter: 1_000, keepsRows: true },
  },
  readRequest: {
    path: 'requests/[logId]',
    needs: 'audit.read',
    poll: { staleAfter: forever },
    sensitive: sensitiveRecord('request'),
  },
})
