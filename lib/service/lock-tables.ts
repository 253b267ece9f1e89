import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { errorCode } from '#lib/shared/root-cause.ts'

/** Far below PostgreSQL's `deadlock_timeout`, a second by default, after which it would end one of those that wait. */
const longestWaitMs = 50
const lockNotAvailable = '55P03'

/**
 * Locks tables, whose names are quoted where needed, in an unlimited transaction that replaces their rows. A request locks tables in an
 * order of its own, so it may have one of these and wait for another: this gives way and begins again, as often as it takes, and no
 * request fails in a deadlock.
 */
export async function lockTables(client: ClientBase, tables: readonly string[]): Promise<void> {
  await client.query(`set local lock_timeout = ${longestWaitMs}`)
  await client.query('savepoint unlocked')
  while (!(await canLock(client, tables))) {
    await client.query('rollback to savepoint unlocked')
    // Whoever waited for these tables has its turn.
    await delay(longestWaitMs)
  }
  await client.query('set local lock_timeout = 0')
}

async function canLock(client: ClientBase, tables: readonly string[]): Promise<boolean> {
  try {
    await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
    return true
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error
    return false
  }
}
