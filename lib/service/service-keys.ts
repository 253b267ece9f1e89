import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { seal, unsealWithEither, type SealingKeys } from '#lib/shared/sealing.ts'
import { serviceKeys } from './tables/runtime.ts'

/** Where the service's own keys are stored, and the key of the settings that seals them, with the one before it. */
export type KeyStore = { db: Database; settings: { cardNumberKey: Buffer; previousCardNumberKey?: Buffer | null } }

export function sealingKeys({ settings }: KeyStore): SealingKeys {
  return { key: settings.cardNumberKey, previous: settings.previousCardNumberKey ?? null }
}

const dataKeyCache = perDatabase((_db: Database) => new Map<string, Promise<Buffer>>())

/** A key of the service's own: made by whichever process needs it first, then the same for all of them. Sealed in the database. */
export function serviceKey(store: KeyStore, name: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  const { db } = store
  const cache = dataKeyCache(db)
  const cached = cache.get(name)
  if (cached) return cached
  const key = readOrMake(db, sealingKeys(store), name, make)
  cache.set(name, key)
  key.catch(() => cache.delete(name))
  return key
}

/** Stores a key that the settings give, in place of the one before. */
export async function replaceServiceKey(store: KeyStore, name: string, key: Buffer): Promise<void> {
  const value = sealed(sealingKeys(store), name, key)
  await store.db
    .insert(serviceKeys)
    .values({ name, value, isSealed: true })
    .onConflictDoUpdate({ target: serviceKeys.name, set: { value, isSealed: true } })
  dataKeyCache(store.db).delete(name)
}

/**
 * Seals the keys that an older version stored unsealed, and checks that the sealed ones can be opened. Throws an `Error` for
 * people where they were sealed with another key.
 */
export async function sealServiceKeys(store: KeyStore): Promise<void> {
  const { db } = store
  const keys = sealingKeys(store)
  const sealedNow = await inTransaction(db, async (tx) => {
    const rows = await tx.select().from(serviceKeys).for('update')
    for (const { name, value } of rows.filter(({ isSealed }) => isSealed)) open(keys, name, value)
    const unsealed = rows.filter(({ isSealed }) => !isSealed)
    for (const { name, value } of unsealed) {
      await tx
        .update(serviceKeys)
        .set({ value: sealed(keys, name, value), isSealed: true })
        .where(eq(serviceKeys.name, name))
    }
    return unsealed.length
  })
  // The unsealed versions of the rows stay in the table's file until it is rewritten.
  if (sealedNow > 0) await db.execute(sql`vacuum full ${serviceKeys}`)
}

async function readOrMake(
  db: Database,
  keys: SealingKeys,
  name: string,
  make: () => Buffer | Promise<Buffer>,
): Promise<Buffer> {
  const stored = await read(db, keys, name)
  if (stored) return stored
  await db
    .insert(serviceKeys)
    .values({ name, value: sealed(keys, name, await make()), isSealed: true })
    .onConflictDoNothing()
  const made = await read(db, keys, name)
  if (!made) throw new Error(`the service key ${name} could not be stored`)
  return made
}

async function read(db: Database, keys: SealingKeys, name: string): Promise<Buffer | null> {
  const [row] = await db.select({ value: serviceKeys.value }).from(serviceKeys).where(eq(serviceKeys.name, name))
  return row ? open(keys, name, row.value) : null
}

function sealed({ key }: SealingKeys, name: string, value: Buffer): Buffer {
  return seal(key, value, boundTo(name))
}

function open(keys: SealingKeys, name: string, value: Buffer): Buffer {
  try {
    return unsealWithEither(keys, value, boundTo(name)).plain
  } catch (cause) {
    throw new Error(
      `CARD_NUMBER_KEY is not the key that sealed "${name}" in this database. Start with the CARD_NUMBER_KEY that was used before.`,
      { cause },
    )
  }
}

/** So that no row can be put in the place of another, and none of them in that of a card's number. */
export function boundTo(name: string): string {
  return `service key ${name}`
}
