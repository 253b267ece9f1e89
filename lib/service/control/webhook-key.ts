import { webhookPublicKeyPem } from '../webhook-key.ts'
import { controlRoute } from './control-route.ts'

export const webhookKeyRoutes = [
  controlRoute({
    method: 'GET',
    path: '/webhook-key',
    isOpen: true,
    response: async (service) =>
      new Response(await webhookPublicKeyPem(service), { headers: { 'Content-Type': 'application/x-pem-file' } }),
  }),
]
