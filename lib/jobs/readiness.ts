import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { createCache } from '#lib/shared/cache.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { secondMs } from '#lib/shared/time.ts'

const timeoutMs = 2 * secondMs
/** Strangers may call it as often as they like: it queries the database once in this time. */
const freshMs = secondMs

const latest = globalSingleton('carddeskReadiness', () => createCache(1))

/**
 * Whether this process can serve people: its database responds, and is no standby, as a primary becomes after a failover. It writes
 * nothing: a disk that is full is so for every process, and none of them would be better.
 */
export function isReady(): Promise<boolean> {
  return latest().fetch('database', acceptsWrites, (_, costMs) => freshMs - costMs)
}

function acceptsWrites(): Promise<boolean> {
  // On in a standby and in a session that only reads.
  const query = database('console').execute<{ readOnly: string }>(
    sql`select current_setting('transaction_read_only') as "readOnly"`,
  )
  const isUp = query.then(
    ({ rows }) => rows[0]?.readOnly === 'off',
    () => false,
  )
  return Promise.race([isUp, delay(timeoutMs, false, { ref: false })])
}
