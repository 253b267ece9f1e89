import 'server-only'
import { database } from '#lib/db/connection.ts'
import { hourMs } from '#lib/shared/time.ts'
import { logFailure } from '../log.ts'
import { readBack } from '../read-back.ts'
import { closeUnsent, dueOperations } from './journal.ts'
import { settleOperation } from './perform.ts'

const atOnce = 20

/**
 * Settles what a crash or a lost answer left open: the same bytes under the same key, or, after the day of the
 * service's clock for which it stores responses, a reading of the target. Several processes may do this at once.
 */
export async function settleUnknownOperations(): Promise<void> {
  const db = database()
  await closeUnsent(db, new Date(Date.now() - hourMs))
  for (const id of await dueOperations(db, atOnce)) {
    try {
      const row = await settleOperation(id)
      if (row.settledAt) await readBack(row)
    } catch (error) {
      logFailure(error, { while: 'settling an operation', operation: id })
    }
  }
}
