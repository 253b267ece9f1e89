import { z } from 'zod'
import { oneOf, Uuid } from '#lib/contract/fields.ts'
import { findRequest, listRequests, requestsLogged } from '../request-log/request-log.ts'
import { controlRoute } from './control-route.ts'

const mostRequests = 200

const RequestQuery = z.strictObject({
  limit: z
    .string('must be given once')
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= mostRequests, `must be 1 to ${mostRequests}`)
    .default(50),
  cursor: z
    .string('must be given once')
    .regex(/^\d{1,15}$/, 'must be the nextCursor of another page')
    .transform(Number)
    .optional(),
  method: oneOf(['GET', 'POST']).optional(),
  failed: oneOf(['true', 'false']).optional(),
  requestId: Uuid.optional(),
})

export const requestRoutes = [
  controlRoute({
    method: 'GET',
    path: '/requests',
    query: RequestQuery,
    response: async ({ db }, { limit, cursor, method, failed, requestId }, accessKey) => {
      await requestsLogged(db)
      if (requestId !== undefined) return { request: await findRequest(db, accessKey, requestId) }
      return listRequests(db, accessKey, { limit, before: cursor, method, failed: failed === 'true' })
    },
  }),
]
