import 'server-only'
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Payout } from '#lib/contract/records.ts'
import { selectRows } from '#lib/db/bulk-rows.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { fetchIndexed, defineIndex } from '#lib/index/define-index.ts'
import { listFreshness } from '#lib/index/list-freshness.ts'
import { storedRecords, unlessNewer } from '#lib/index/stored-records.ts'
import { publish } from '#lib/live/publish.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { operations } from '#lib/tables/operations.ts'
import { indexedPayouts as payout, payoutProgress, payoutStates } from '#lib/tables/payouts.ts'
import { payoutAsStored, payoutColumns, parseStoredPayout, toPayoutState } from './payout-record.ts'
import type { PayoutRecord } from './types.ts'

/**
 * Writes payouts as the service provided them, and each state that is new. `fetchedAt` is when the request was sent: the response
 * to an earlier request never replaces that to a later one, though its state is stored. `reading` is the full reading that
 * this belongs to. `excluded` counts payouts whose id cannot be used.
 */
export async function indexPayouts(
  environment: Environment,
  sent: readonly Payout[],
  fetchedAt: Date,
  reading = 0,
): Promise<{ hasNewState: boolean; excluded: number }> {
  const { stored: usable, excluded } = storedRecords(sent)
  const stored = usable.map(payoutAsStored)
  if (stored.length === 0) return { hasNewState: false, excluded }
  const rows = stored.map((record) => ({ ...payoutColumns(record), environment, readAt: fetchedAt, reading }))
  const hasNewState = await inTransaction(database(), async (tx) => {
    await tx.insert(payout).select(selectRows(payout, rows)).onConflictDoUpdate(unlessNewer(payout, rows))
    return keepStates(tx, environment, stored.map(parseStoredPayout), fetchedAt)
  })
  await hurrySubmissions(
    environment,
    usable.map(({ id }) => id),
    hasNewState,
  )
  return { hasNewState, excluded }
}

/** An open submission whose payout may be among these is looked up at once, and not at its next round. */
async function hurrySubmissions(environment: Environment, ids: readonly string[], isAnyNew: boolean): Promise<void> {
  const isNamed = inArray(operations.resultId, [...ids])
  await database()
    .update(operations)
    .set({ nextSettlementAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(operations.environment, environment),
        eq(operations.kind, 'payout.submit'),
        eq(operations.state, 'unknown'),
        isNull(operations.settledAt),
        gt(operations.nextSettlementAt, sql`clock_timestamp()`),
        isAnyNew ? or(isNamed, isNull(operations.resultId)) : isNamed,
      ),
    )
}

/** Stores the state of each record. True where one was new. */
export async function keepStates(
  tx: Transaction,
  environment: Environment,
  records: readonly PayoutRecord[],
  seenAt: Date,
): Promise<boolean> {
  const states = records.flatMap((record) => toPayoutState(record) ?? [])
  if (states.length === 0) return false
  const added = await tx
    .insert(payoutStates)
    .values(states.map((state) => ({ ...state, environment, seenAt })))
    .onConflictDoNothing()
    .returning({ at: payoutStates.at })
  return added.length > 0
}

/**
 * A payout as the service has it now, which the index stores. The id may differ in case. Throws `PAYOUT_NOT_FOUND`, and the
 * index deletes it.
 */
export async function readOnePayout(
  environment: Environment,
  payoutId: string,
): Promise<{ payout: PayoutRecord; fetchedAt: Date }> {
  const { record: sent, fetchedAt } = await fetchIndexed(environment, payoutId, {
    endpoint: 'listPayouts',
    table: payout,
    title: 'payout',
    filter: 'payoutId',
    list: ({ payouts }) => payouts,
    notFound: payoutNotFound,
  })
  const { hasNewState } = await indexPayouts(environment, [sent], fetchedAt)
  if (hasNewState) publish(environment, [{ type: 'payouts' }])
  return { payout: parseStoredPayout(payoutAsStored(sent)), fetchedAt }
}

function payoutNotFound(): AppError {
  return new AppError('PAYOUT_NOT_FOUND', 'There is no such payout in this environment.')
}

export const payoutIndex = defineIndex({
  endpoint: 'listPayouts',
  title: 'payouts',
  state: payoutProgress,
  table: payout,
  async store(environment, { response, fetchedAt }, reading) {
    const { hasNewState, excluded } = await indexPayouts(environment, response.payouts, fetchedAt, reading)
    if (hasNewState) publish(environment, [{ type: 'payouts' }])
    return excluded
  },
})

/** All payouts are read again where they are few, the newest page of many. */
export const payoutFreshness = listFreshness('payouts', payoutIndex)
