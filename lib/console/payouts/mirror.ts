import 'server-only'
import { and, eq, lt, lte, sql } from 'drizzle-orm'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { directoryPayouts as payout, payoutStates } from '../tables/payouts.ts'
import { payoutAsKept, payoutColumns, payoutOf, stateOf, type PayoutRecord } from './record.ts'

/**
 * Writes payouts as the service answered, and each state that was not seen before. `askedAt` is when the request left: an
 * answer to an earlier request never replaces a later one, though the state that it tells of is kept. `reading` is the
 * whole reading that this belongs to. True where a state was new.
 */
export async function mirrorPayouts(
  environment: Environment,
  sent: readonly unknown[],
  askedAt: Date,
  reading = 0,
): Promise<boolean> {
  const kept = uniqueById(sent.map(payoutAsKept))
  if (kept.length === 0) return false
  const rows = kept.map((record) => ({ ...payoutColumns(record), environment, readAt: askedAt, reading }))
  return inTransaction(database(), async (tx) => {
    await tx
      .insert(payout)
      .values(rows)
      .onConflictDoUpdate({
        target: [payout.environment, payout.id],
        set: { ...replaced, reading: sql`greatest(${payout.reading}, excluded.reading)` },
        setWhere: lte(payout.readAt, sql`excluded.read_at`),
      })
    return keepStates(tx, environment, kept.map(payoutOf), askedAt)
  })
}

/** The columns that an answer replaces. */
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

/** Keeps the state that each record tells of. True where one was new. */
export async function keepStates(
  tx: Transaction,
  environment: Environment,
  records: readonly PayoutRecord[],
  seenAt: Date,
): Promise<boolean> {
  const states = records.flatMap((record) => stateOf(record) ?? [])
  if (states.length === 0) return false
  const added = await tx
    .insert(payoutStates)
    .values(states.map((state) => ({ ...state, environment, seenAt })))
    .onConflictDoNothing()
    .returning({ at: payoutStates.at })
  return added.length > 0
}

/** Takes a payout away that the service did not know when it was asked. */
export async function forgetPayout(environment: Environment, id: string, askedAt: Date): Promise<void> {
  await database()
    .delete(payout)
    .where(and(eq(payout.environment, environment), eq(payout.id, id), lte(payout.readAt, askedAt)))
}

/** What a whole reading did not see, and nobody read since it began, is gone. */
export async function forgetUnseen(
  tx: Transaction,
  environment: Environment,
  reading: number,
  startedAt: Date,
): Promise<void> {
  await tx
    .delete(payout)
    .where(and(eq(payout.environment, environment), lt(payout.reading, reading), lt(payout.readAt, startedAt)))
}

/**
 * A list that grew while it was read may hold a record twice: the first stays. What has no id cannot be kept. In the order
 * of ids, so that two who write the same payouts wait for each other instead of locking up.
 */
function uniqueById(records: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const byId = new Map<string, Record<string, unknown>>()
  for (const record of records) {
    const { id } = payoutOf(record)
    if (isUuid(id) && !byId.has(id)) byId.set(id, record)
  }
  return [...byId].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, record]) => record)
}
