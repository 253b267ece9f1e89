import 'server-only'
import { database } from '#lib/db/connection.ts'
import { hourMs } from '#lib/shared/time.ts'
import { logFailure } from '../log.ts'
import { closeUnsent, dueOperations, eraseOldSecrets } from './journal.ts'
import { settleOperation } from './perform.ts'

const atOnce = 20

/**
 * Settles operations that a crash or a lost response left open, the longest waiting first. Several processes may do this
 * at once.
 */
export async function settleUnknownOperations(): Promise<void> {
  const db = database()
  await closeUnsent(db, new Date(Date.now() - hourMs))
  await eraseOldSecrets(db)
  for (const id of await dueOperations(db, atOnce)) {
    try {
      await settleOperation(id)
    } catch (error) {
      logFailure(error, { while: 'settling an operation', operation: id })
    }
  }
}
