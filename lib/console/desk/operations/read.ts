import 'server-only'
import { database } from '#lib/db/connection.ts'
import { withoutCaller } from '#lib/shared/caller.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AppError } from '../app-error.ts'
import { requirePermission } from '../session/session.ts'
import type { Operation } from '../shapes.ts'
import { findOperation } from './journal.ts'
import { operationOf } from './operation.ts'
import { settleOperation } from './perform.ts'

/** One operation; reading it settles an outcome that is still open, where that is possible. */
export async function readOperation(environment: Environment, id: string): Promise<Operation> {
  await requirePermission('accounts.read', environment)
  const found = isUuid(id) ? await findOperation(database(), id.toLowerCase()) : null
  if (!found || found.environment !== environment) {
    throw new AppError('OPERATION_NOT_FOUND', 'There is no such operation in this environment.')
  }
  const isOpen = found.state === 'sending' || found.state === 'unknown'
  return operationOf(isOpen && !found.settledAt ? (await withoutCaller(() => settleOperation(found.id))).row : found)
}
