import 'server-only'
import { inArray } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { keepStates, readOnePayout } from './index-payouts.ts'
import { parsePayout, payoutAsStored, parseStoredPayout } from './payout-record.ts'
import type { PayoutRecord } from './types.ts'

/**
 * Applies the events about one payout: each reports a state, which may be over by now; the present state is read from
 * the service, once for all of them. Throws where the service does not respond.
 */
export async function applyPayoutEvents(
  environment: Environment,
  payoutId: string,
  positions: readonly number[],
): Promise<void> {
  const rows = await database()
    .select({ body: inboxEvents.body, receivedAt: inboxEvents.receivedAt })
    .from(inboxEvents)
    .where(inArray(inboxEvents.position, [...positions]))
  await inTransaction(database(), async (tx) => {
    for (const { body, receivedAt } of rows) {
      const reported = parsePayoutBody(body)
      if (reported && sameId(reported.id, payoutId)) await keepStates(tx, environment, [reported], receivedAt)
    }
  })
  // Where the service does not know the payout any more, this read deletes it from the index.
  await nullOn(readOnePayout(environment, payoutId), 'PAYOUT_NOT_FOUND')
}

/** The payout in a delivery's body; null where there is none. */
export function parsePayoutBody(body: string): PayoutRecord | null {
  try {
    const { data } = JSON.parse(body) as { data?: unknown }
    const payout = parsePayout(data)
    return payout && parseStoredPayout(payoutAsStored(payout))
  } catch {
    return null
  }
}
