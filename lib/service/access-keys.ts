import type { KeyObject } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { accessKeys } from './tables/runtime.ts'

type AccessKey = { id: string; publicKey: KeyObject }

/** How long a parsed key is trusted before the table is read again. */
const trustedMs = 5_000

type CachedKey = { accessKey: AccessKey; until: number }
const keyCache = perDatabase((_db: Database) => new Map<string, CachedKey>())

/** A caller's key by its id, however it is written; null when there is none. Parsed once, cached for a few seconds. */
export async function findAccessKey(db: Database, text: string): Promise<AccessKey | null> {
  if (!isUuid(text)) return null
  const id = text.toLowerCase()
  const cache = keyCache(db)
  const cached = cache.get(id)
  if (cached && cached.until > Date.now()) return cached.accessKey

  const [row] = await db.select().from(accessKeys).where(eq(accessKeys.id, id))
  if (!row) {
    cache.delete(id)
    return null
  }
  const accessKey = { id, publicKey: readPublicKey(row.publicKeyPem) }
  cache.set(id, { accessKey, until: Date.now() + trustedMs })
  return accessKey
}

/** Registers a caller, or the new public key (PEM) of a registered one. */
export async function registerAccessKey(
  db: Database,
  key: { id: string; name: string; publicKeyPem: string },
): Promise<void> {
  await db
    .insert(accessKeys)
    .values({ ...key, id: key.id.toLowerCase() })
    .onConflictDoUpdate({ target: accessKeys.id, set: { name: key.name, publicKeyPem: key.publicKeyPem } })
  keyCache(db).delete(key.id.toLowerCase())
}
