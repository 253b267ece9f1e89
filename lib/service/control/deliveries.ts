import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { Uuid } from '#lib/contract/fields.ts'
import { ApiError } from '../api-error.ts'
import { webhooks } from '../tables/webhooks.ts'
import { attemptsLogged, listAttempts } from '../webhooks/attempt-log.ts'
import { replayEvent } from '../webhooks/replay.ts'
import { isPinged } from '../webhooks/schedule.ts'
import { controlRoute } from './control-route.ts'

const mostAttempts = 200

const DeliveryQuery = z.strictObject({
  webhookId: Uuid,
  limit: z
    .string('must be given once')
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= mostAttempts, `must be 1 to ${mostAttempts}`)
    .default(50),
  cursor: z
    .string('must be given once')
    .regex(/^\d{1,15}$/, 'must be the nextCursor of another page')
    .transform(Number)
    .optional(),
})

export const deliveryRoutes = [
  controlRoute({
    method: 'GET',
    path: '/deliveries',
    query: DeliveryQuery,
    response: async ({ db }, { webhookId, limit, cursor }) => {
      const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, webhookId))
      if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')
      await attemptsLogged(db)
      const { dueAt, attempts } = webhook
      const next = dueAt && {
        at: dueAt.toISOString(),
        attempt: attempts + 1,
        kind: isPinged(webhook) ? 'ping' : 'delivery',
      }
      return { ...(await listAttempts(db, webhookId, { before: cursor, limit })), next }
    },
  }),
  controlRoute({
    method: 'POST',
    path: '/deliveries/replay',
    body: z.strictObject({ webhookId: Uuid, eventId: Uuid }),
    response: (service, { webhookId, eventId }) => replayEvent(service, webhookId, eventId),
  }),
]
