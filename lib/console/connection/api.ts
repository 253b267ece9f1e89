import 'server-only'
import { connectionReads } from '#lib/api/connection.ts'
import { implement } from '#lib/gate/implement.ts'
import { readConnection, listDeviations, runConnectionCheck } from './read.ts'

export const connectionApi = implement(connectionReads, { readConnection, listDeviations })

export const connectionHandlers = { runConnectionCheck }
