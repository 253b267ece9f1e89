import { webhookPublicKeyPem } from '../webhook-key.ts'
import { controlRoute } from './control-route.ts'

export const webhookKeyRoutes = [
  controlRoute({
    method: 'GET',
    path: '/webhook-key',
    isOpen: true,
    answer: async ({ db }) =>
      new Response(await webhookPublicKeyPem(db), { headers: { 'Content-Type': 'application/x-pem-file' } }),
  }),
]
