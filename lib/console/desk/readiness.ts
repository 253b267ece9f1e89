import 'server-only'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { secondMs } from '#lib/shared/time.ts'

const timeoutMs = 2 * secondMs
/** Strangers may call it as often as they like: it queries the database once in this time. */
const freshMs = secondMs

const store = globalThis as typeof globalThis & { carddeskReadiness?: { at: number; isReady: Promise<boolean> } }

/** Whether this process can serve people: its database responds. */
export function isReady(): Promise<boolean> {
  const known = store.carddeskReadiness
  if (known && performance.now() - known.at < freshMs) return known.isReady
  const isReady = responds()
  store.carddeskReadiness = { at: performance.now(), isReady }
  return isReady
}

async function responds(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), timeoutMs)
  const query = database('console')
    .execute(sql`select 1`)
    .then(
      () => true,
      () => false,
    )
  try {
    return await Promise.race([query, promise])
  } finally {
    clearTimeout(timer)
  }
}
