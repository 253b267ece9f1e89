import { z } from 'zod'
import { dayMs, parseDurationMs } from '#lib/shared/time.ts'
import { sandboxNow } from '../clock.ts'
import { advanceClock } from '../perform-due-work.ts'
import { performers } from '../performers.ts'
import { deliveriesOf } from '../webhooks/deliveries.ts'
import { controlRoute } from './control-route.ts'

/** A hundred years: dates beyond those that everybody can write help no test. */
const longestAdvanceMs = 36_525 * dayMs

const Advance = z.object({
  advance: z
    .string('must be an ISO 8601 duration')
    .transform((text, issues) => {
      const durationMs = parseDurationMs(text)
      if (durationMs === null) issues.addIssue('must be a positive ISO 8601 duration of days to seconds, such as PT24H')
      return durationMs ?? 0
    })
    .refine((durationMs) => durationMs <= longestAdvanceMs, 'must be at most P36525D'),
})

export const clockRoutes = [
  controlRoute({
    method: 'GET',
    path: '/clock',
    response: async ({ db }) => ({ now: (await sandboxNow(db)).toISOString() }),
  }),
  controlRoute({
    method: 'POST',
    path: '/clock',
    body: Advance,
    response: async (service, { advance }) => {
      const { now, performed } = await advanceClock(service.db, advance, performers, deliveriesOf(service))
      return { now: now.toISOString(), performed }
    },
  }),
]
