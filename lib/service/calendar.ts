import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/prepared.ts'
import { withUnlimitedClient } from '#lib/db/transaction.ts'

/** Held shared while due work is performed, exclusively while the clock is moved or the sandbox is reset. */
const calendarLock = 7_263_003

/** Part of a statement: takes part until its transaction ends; false while the calendar is held exclusively. */
export const tryJoinCalendar = sql`pg_try_advisory_xact_lock_shared(${calendarLock})`

export async function joinCalendar(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<{ joined: boolean }>(sql`select ${tryJoinCalendar} as joined`)
  return rows[0]?.joined ?? false
}

const queueOf = perDatabase((_db: Database): { last: Promise<unknown> } => ({ last: Promise.resolve() }))

/**
 * Holds the calendar exclusively, among all processes. Within a process they queue up here first: each would hold a connection
 * while it waits, and the one that has its turn needs others.
 */
export async function withCalendar<Value>(db: Database, work: () => Promise<Value>): Promise<Value> {
  const queue = queueOf(db)
  const turn = queue.last.then(() => lockCalendar(db, work))
  queue.last = turn.catch(() => undefined)
  return turn
}

async function lockCalendar<Value>(db: Database, work: () => Promise<Value>): Promise<Value> {
  return withUnlimitedClient(db, async (client) => {
    await client.query('select pg_advisory_lock($1)', [calendarLock])
    try {
      return await work()
    } finally {
      // Fails only where the connection is lost, and the lock with it.
      await client.query('select pg_advisory_unlock($1)', [calendarLock]).catch(() => undefined)
    }
  })
}
