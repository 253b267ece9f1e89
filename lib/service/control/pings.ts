import { z } from 'zod'
import { Uuid } from '#lib/contract/fields.ts'
import { sendTestPing } from '../webhooks/test-ping.ts'
import { controlRoute } from './control-route.ts'

export const pingRoutes = [
  controlRoute({
    method: 'POST',
    path: '/pings',
    body: z.object({ webhookId: Uuid }),
    response: (service, { webhookId }) => sendTestPing(service, webhookId),
  }),
]
