import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db/connection.ts'
import type { Settings } from './check-settings.ts'
import type { Keys, ServiceIdentity } from './keys.ts'

/** Throws an `Error` of one line where this database was first used with other keys. */
export async function requireSameKeys(
  db: Database,
  settings: Settings,
  { CARD_NUMBER_KEY, CONSOLE_SEALING_KEY, NEXTAUTH_SECRET }: Keys,
  identity: ServiceIdentity | null,
): Promise<void> {
  const { CARD_NUMBER_KEY_PREVIOUS: numbersBefore, CONSOLE_SEALING_KEY_PREVIOUS: sealedBefore } = settings
  const differing = await findDifferingKeys(
    db,
    {
      CARD_NUMBER_KEY,
      CONSOLE_SEALING_KEY,
      // A chosen secret may be changed: that ends the sessions and harms no stored data.
      ...(settings.NEXTAUTH_SECRET ? {} : { NEXTAUTH_SECRET }),
      ...(identity ? { SERVICE_SANDBOX_ACCESS_KEY: identity.accessKey } : {}),
    },
    {
      ...(numbersBefore && { CARD_NUMBER_KEY: numbersBefore }),
      ...(sealedBefore && { CONSOLE_SEALING_KEY: sealedBefore }),
    },
  )
  if (differing.length > 0)
    throw new Error(
      `This database was first used with other keys (${differing.join(', ')}). Use the DATA_DIR of then, or copy its folder "keys".`,
    )
}

/**
 * Processes on one database must use the same keys: what one seals the others have to open. The database keeps a
 * fingerprint of each key, never the key, since it also keeps what the key protects. A key whose `previous` value the database
 * knows takes that one's place. Returns the names that differ.
 */
export async function findDifferingKeys(
  db: Database,
  keys: Readonly<Record<string, string>>,
  previous: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const differing: string[] = []
  for (const [name, key] of Object.entries(keys)) {
    const sha256 = keyFingerprint(name, key)
    const before = previous[name]
    if (before !== undefined) {
      await db.execute(sql`
        update launch.key_fingerprints set sha256 = ${sha256} where name = ${name} and sha256 = ${keyFingerprint(name, before)}`)
    }
    await db.execute(sql`
      insert into launch.key_fingerprints (name, sha256) values (${name}, ${sha256}) on conflict (name) do nothing`)
    const { rows } = await db.execute<{ sha256: string }>(
      sql`select sha256 from launch.key_fingerprints where name = ${name}`,
    )
    if (rows[0]?.sha256 !== sha256) differing.push(name)
  }
  return differing
}

function keyFingerprint(name: string, key: string): string {
  return createHash('sha256').update(`carddesk ${name} ${key}`).digest('hex')
}
