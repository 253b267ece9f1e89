import { z } from 'zod'
import { oneOf, Uuid } from '#lib/contract/fields.ts'
import { findRequest, listLoggedRequests, requestsLogged } from '../request-log/request-log.ts'
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
    response: async ({ db, sandboxId }, { limit, cursor, method, failed, requestId }, accessKey) => {
      await requestsLogged(db)
      // A sandbox of one's own is one caller's, whatever keys call it.
      const of = sandboxId === undefined ? accessKey : null
      if (requestId !== undefined) return { request: await findRequest(db, of, requestId) }
      return listLoggedRequests(db, of, { limit, before: cursor, method, failed: failed === 'true' })
    },
  }),
]
