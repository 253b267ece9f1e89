import type { Queryable } from '#lib/db/connection.ts'
import { keyedDigest } from '#lib/db/sealing.ts'
import { embedKeys } from '#lib/tables/embed.ts'
import { toStoredSecret, toKeySecret } from './key-secret.ts'

/**
 * Makes the sandbox key of the demo's help desk, and returns it. Processes with the same sealing key share it. Once an
 * admin revoked it, it stays revoked.
 */
export async function ensureDemoEmbedKey(db: Queryable, sealingKey: Buffer): Promise<string> {
  const secret = toKeySecret(keyedDigest(sealingKey, ['demo help desk']))
  const stored = toStoredSecret(secret)
  await db
    .insert(embedKeys)
    .values({
      id: '5d1c7a52-0000-4000-8000-0000000000ee',
      environment: 'sandbox',
      name: 'Demo help desk',
      createdAt: new Date(),
      createdBy: 'Carddesk',
      ...stored,
    })
    .onConflictDoUpdate({ target: embedKeys.id, set: stored })
  return secret
}
