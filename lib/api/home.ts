import type { ServiceHealth } from '#lib/environments/types.ts'
import { defineActions } from './action.ts'
import { defineReads, noPolling, record } from './read.ts'

/** Reads of no single resource: the first pages, the search, the state of the service. */
export const homeReads = defineReads({
  readOverview: {
    path: 'overview',
    needs: 'accounts.read',
    poll: record,
    staleOn: { card: true, cardaccount: true, cardaccounts: true, payouts: true, operation: true, approvals: true },
  },
  searchConsole: { path: 'search', needs: 'accounts.read', poll: noPolling },
  readMyWork: {
    path: 'my-work',
    needs: 'accounts.read',
    // Live updates cover everything that is shown there.
    poll: { every: 60_000 },
    staleOn: { cardaccount: true, cardaccounts: true, 'bulk-job': true, operation: true, notes: true, approvals: true },
  },
  readTrends: { path: 'trends', needs: 'accounts.read', poll: { every: 60_000 } },
  listSavedViews: { path: 'saved-views', needs: 'accounts.read', poll: { staleAfter: 60_000 } },
  readServiceHealth: {
    path: 'service-health',
    needs: 'session',
    // The first page of a process is drawn before anything was read from the service.
    poll: {
      every: {
        of(data) {
          const health = data as ServiceHealth | undefined
          return health?.connected === true && health.lastResponseAt === null && health.unreachableSince === null
            ? 2_000
            : 10_000
        },
      },
      staleAfter: 10_000,
    },
  },
  readServiceClockForScreen: { path: 'service-clock', needs: 'payouts.read', poll: noPolling },
})

const ofViews = { needs: 'accounts.read', changes: ['saved-views'] } as const

/** A person's saved views are a preference: checked like any action, and no entry in the audit log. */
export const homeActions = defineActions({ saveView: ofViews, changeView: ofViews, deleteView: ofViews })
