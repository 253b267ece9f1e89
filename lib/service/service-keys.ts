import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db/connection.ts'
import { serviceKeys } from './tables/runtime.ts'

const known = new WeakMap<Database, Map<string, Promise<Buffer>>>()

/** A key that the service keeps for itself: made by whichever process needs it first, then the same for all of them. */
export function serviceKey(db: Database, name: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  const ofDatabase = known.get(db) ?? new Map<string, Promise<Buffer>>()
  known.set(db, ofDatabase)
  const cached = ofDatabase.get(name)
  if (cached) return cached
  const key = readOrMake(db, name, make)
  ofDatabase.set(name, key)
  key.catch(() => ofDatabase.delete(name))
  return key
}

async function readOrMake(db: Database, name: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  const kept = await read(db, name)
  if (kept) return kept
  await db
    .insert(serviceKeys)
    .values({ name, value: await make() })
    .onConflictDoNothing()
  const made = await read(db, name)
  if (!made) throw new Error(`the service key ${name} could not be kept`)
  return made
}

async function read(db: Database, name: string): Promise<Buffer | undefined> {
  const rows = await db.select({ value: serviceKeys.value }).from(serviceKeys).where(eq(serviceKeys.name, name))
  return rows[0]?.value
}
