import 'server-only'
import { and, eq, lte, sql } from 'drizzle-orm'
import type { Payout } from '#lib/contract/records.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hasUsableId } from '../desk/mirror/mirror.ts'
import { directoryPayouts as payout, payoutStates } from '../desk/tables/payouts.ts'
import { payoutAsStored, payoutColumns, payoutOf, stateOf } from './record.ts'
import type { PayoutRecord } from './shapes.ts'

/**
 * Writes payouts as the service provided them, and each state that is new. `fetchedAt` is when the request was sent: the response
 * to an earlier request never replaces that to a later one, though its state is stored. `reading` is the full reading that
 * this belongs to. `excluded` counts payouts whose id cannot be used.
 */
export async function mirrorPayouts(
  environment: Environment,
  sent: readonly Payout[],
  fetchedAt: Date,
  reading = 0,
): Promise<{ hasNewState: boolean; excluded: number }> {
  const usable = sent.filter(hasUsableId)
  const excluded = sent.length - usable.length
  const stored = uniqueById(usable).map(payoutAsStored)
  if (stored.length === 0) return { hasNewState: false, excluded }
  const rows = stored.map((record) => ({ ...payoutColumns(record), environment, readAt: fetchedAt, reading }))
  const hasNewState = await inTransaction(database(), async (tx) => {
    await tx
      .insert(payout)
      .values(rows)
      .onConflictDoUpdate({
        target: [payout.environment, payout.id],
        set: { ...replaced, reading: sql`greatest(${payout.reading}, excluded.reading)` },
        setWhere: lte(payout.readAt, sql`excluded.read_at`),
      })
    return keepStates(tx, environment, stored.map(payoutOf), fetchedAt)
  })
  return { hasNewState, excluded }
}

/** The columns that a response replaces. */
const replaced = Object.fromEntries(
  (
    [
      'xid',
      'accountId',
      'method',
      'status',
      'subStatus',
      'sourceCurrency',
      'sourceAmount',
      'destinationCurrency',
      'destinationAmount',
      'createdAt',
      'updatedAt',
      'searchText',
      'record',
      'readAt',
    ] as const
  ).map((name) => [name, sql.raw(`excluded."${payout[name].name}"`)]),
)

/** Stores the state of each record. True where one was new. */
export async function keepStates(
  tx: Transaction,
  environment: Environment,
  records: readonly PayoutRecord[],
  firstReadAt: Date,
): Promise<boolean> {
  const states = records.flatMap((record) => stateOf(record) ?? [])
  if (states.length === 0) return false
  const added = await tx
    .insert(payoutStates)
    .values(states.map((state) => ({ ...state, environment, firstReadAt })))
    .onConflictDoNothing()
    .returning({ at: payoutStates.at })
  return added.length > 0
}

/** Deletes a payout that the service did not have when the request left. */
export async function forgetPayout(environment: Environment, id: string, fetchedAt: Date): Promise<void> {
  await database()
    .delete(payout)
    .where(
      and(eq(payout.environment, environment), sql`lower(id) = ${id.toLowerCase()}`, lte(payout.readAt, fetchedAt)),
    )
}

/**
 * A list that grew while it was read may hold a record twice: the first stays. In the order of ids, so that two writers of
 * the same payouts wait for each other instead of locking up.
 */
function uniqueById(payouts: readonly Payout[]): Payout[] {
  const byId = new Map<string, Payout>()
  for (const one of payouts) if (!byId.has(one.id)) byId.set(one.id, one)
  return [...byId.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
