import type { Database } from './connection.ts'

/** Runs work under a lock of the database that dies with its connection; false, and nothing is run, while the lock is held. */
export async function withExclusive(db: Database, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await db.$client.connect()
  try {
    const { rows } = await client.query<{ has: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 7263102)) as has',
      [name],
    )
    if (!rows[0]?.has) return false
    try {
      await work()
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 7263102))', [name])
    }
    return true
  } finally {
    client.release()
  }
}
