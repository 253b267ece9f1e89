import { sql } from 'drizzle-orm'
import { type Database, poolSlots, type Transaction } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { withUnlimitedClient } from '#lib/db/transaction.ts'
import { minuteMs } from '#lib/shared/time.ts'

/**
 * Held shared while due work is performed, exclusively while the clock is moved or the sandbox is reset. It names the schema, so
 * that each sandbox has a lock of its own.
 */
const clockLock = `hashtextextended('service.calendar', 7263003)`

/** Part of a statement: takes part until its transaction ends; false while the lock is held exclusively. */
export const tryJoinClockLock = sql.raw(`pg_try_advisory_xact_lock_shared(${clockLock})`)

export async function joinClockLock(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<{ joined: boolean }>(sql`select ${tryJoinClockLock} as joined`)
  return rows[0]?.joined ?? false
}

const clockLockQueue = perDatabase((_db: Database): { last: Promise<unknown> } => ({ last: Promise.resolve() }))

/**
 * Holds the lock exclusively, among all processes. Within a process they queue up here first: each would hold a connection
 * while it waits, and the one that has its turn needs others.
 */
export async function withClockLock<Value>(db: Database, work: () => Promise<Value>): Promise<Value> {
  const queue = clockLockQueue(db)
  const turn = queue.last.then(() => inTurn(db, () => lockClock(db, work)))
  queue.last = turn.catch(() => undefined)
  return turn
}

/** As long as callers of the control plane wait for a response. */
const turnTimeoutMs = 2 * minuteMs
const turns = poolSlots(1, turnTimeoutMs)

/**
 * Runs work that holds a connection for long while it uses others: at most a third of a pool's connections are held in this way,
 * by all sandboxes together. The others wait in their order.
 */
export function inTurn<Value>(db: Database, work: () => Promise<Value>): Promise<Value> {
  return turns(db).run(work)
}

async function lockClock<Value>(db: Database, work: () => Promise<Value>): Promise<Value> {
  return withUnlimitedClient(db, async (client) => {
    await client.query(`select pg_advisory_lock(${clockLock})`)
    try {
      return await work()
    } finally {
      // Fails only where the connection is lost, and the lock with it.
      await client.query(`select pg_advisory_unlock(${clockLock})`).catch(() => undefined)
    }
  })
}
