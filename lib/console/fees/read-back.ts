import 'server-only'
import { database } from '#lib/db/connection.ts'
import { announce } from '../live/announce.ts'
import { changesOfOperation } from '../live/operation-changes.ts'
import { logFailure } from '../log.ts'
import { writeStatusAfter, type OperationRow } from '../operations/journal.ts'
import { isRefusal } from '../refusal.ts'
import { detailOf, type FeeDetail } from './detail.ts'
import { forgetFeeTotals } from './totals.ts'

/**
 * The fee of an operation with its account's balance, as the service has them now. The directory and the journal learn them,
 * and the open pages are told once they have. Null where they could not be read: the outcome stands without it.
 */
export async function readBackFee(row: OperationRow): Promise<FeeDetail | null> {
  const { environment, targetId } = row
  try {
    forgetFeeTotals(environment)
    const detail = await detailOf(environment, targetId)
    announce(environment, changesOfOperation(row))
    if (row.settledAt && row.statusAfter === null) await writeStatusAfter(database(), row.id, detail.fee.status)
    return detail
  } catch (error) {
    if (!isRefusal(error)) logFailure(error, { while: 'reading a fee back', operation: row.id })
    return null
  }
}
