import { defineReads, forever, sensitiveRecord } from './read.ts'

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
