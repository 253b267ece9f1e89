import 'server-only'
import { requestReads } from '#lib/api/requests.ts'
import { implement } from '#lib/gate/implement.ts'
import { listRequests, readRequest } from './list.ts'

export const requestApi = implement(requestReads, { listRequests, readRequest })
