import { z } from 'zod'
import { oneOf, Uuid } from '#lib/contract/fields.ts'
import { findRequest, listRequests, requestsLogged } from '../request-log/request-log.ts'
import { controlRoute, pageQuery } from './control-route.ts'

const RequestQuery = z.strictObject({
  ...pageQuery,
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
