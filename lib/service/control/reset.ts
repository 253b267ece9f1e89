import { retryingGivenUp } from '#lib/db/transaction.ts'
import { withCalendar } from '../calendar.ts'
import { resetService } from '../seed/seed.ts'
import { controlRoute } from './control-route.ts'

export const resetRoutes = [
  controlRoute({
    method: 'POST',
    path: '/reset',
    answer: async ({ db, settings }) => {
      const now = new Date()
      const seed = {
        cardAccounts: settings.seededCardAccounts,
        now,
        cardNumberKey: settings.cardNumberKey,
        consoleInboxUrl: settings.consoleInboxUrl,
      }
      await withCalendar(db, () => retryingGivenUp(() => resetService(db, seed)))
      return { now: now.toISOString() }
    },
  }),
]
