import 'server-only'
import { operationReads } from '#lib/api/operations.ts'
import { implement } from '#lib/gate/implement.ts'
import { resolveOperation } from '#lib/operations/resolve.ts'
import { listUnsettled, readOperation, readOperationRecord } from './read.ts'

export const operationApi = implement(operationReads, { listUnsettled, readOperation, readOperationRecord })

export const operationHandlers = { resolveOperation }
