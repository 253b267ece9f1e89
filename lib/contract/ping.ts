import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const pingEndpoints = {
  ping: endpoint({
    method: 'GET',
    path: '/ping',
    summary: 'Responds when the caller is authenticated.',
    response: z.object({ message: z.literal('pong') }),
    errors: [],
  }),
}
