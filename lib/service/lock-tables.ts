import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { errorCode, rootCause } from '#lib/shared/root-cause.ts'

/** Far below PostgreSQL's `deadlock_timeout`, a second by default, after which it would end one of those that wait. */
const longestWaitMs = 50
const lockNotAvailable = '55P03'

/**
 * Locks tables for a transaction that replaces their rows; `tables` are their names, quoted where needed. A request locks tables in an
 * order of its own, so it may have one of these and wait for another: this gives way and begins again, and no request fails in a
 * deadlock.
 */
export async function lockTables(client: ClientBase, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ before: string }>(`select current_setting('lock_timeout') as before`)
  await client.query(`set local lock_timeout = ${longestWaitMs}`)
  while (!(await lockedAll(client, tables))) await delay(longestWaitMs * Math.random())
  await client.query(`set local lock_timeout = '${rows[0]?.before}'`)
}

async function lockedAll(client: ClientBase, tables: readonly string[]): Promise<boolean> {
  await client.query('savepoint unlocked')
  try {
    await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
    return true
  } catch (error) {
    if (errorCode(rootCause(error)) !== lockNotAvailable) throw error
    await client.query('rollback to savepoint unlocked')
    return false
  }
}
