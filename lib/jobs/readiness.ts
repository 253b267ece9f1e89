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

/** Whether this process can serve people: its database responds. */
export function isReady(): Promise<boolean> {
  return latest().fetch('database', responds, (_, costMs) => freshMs - costMs)
}

function responds(): Promise<boolean> {
  const query = database('console').execute(sql`select 1`)
  const isUp = query.then(
    () => true,
    () => false,
  )
  return Promise.race([isUp, delay(timeoutMs, false, { ref: false })])
}
