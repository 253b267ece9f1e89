import 'server-only'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { and, desc, eq, isNull, lt, or } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import { requireStepUp } from '#lib/auth/step-up.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { EnvironmentName, plainText } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime, minuteMs } from '#lib/shared/time.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { embedKeys } from '#lib/tables/embed.ts'
import { toStoredSecret, toKeySecret } from './key-secret.ts'
import type { EmbedKey, EmbedSettings } from './types.ts'

type KeyRow = typeof embedKeys.$inferSelect

export async function readEmbedSettings(environment: Environment): Promise<EmbedSettings> {
  const { consoleUrl, embedOrigins } = consoleSettings()
  const rows = await database()
    .select()
    .from(embedKeys)
    .where(eq(embedKeys.environment, environment))
    .orderBy(desc(embedKeys.createdAt), embedKeys.id)
  return { consoleUrl, integrity: await readIntegrity(), origins: embedOrigins, keys: rows.map(toEmbedKey) }
}

/** The value of `integrity` for a host that loads exactly this version of the script. */
async function readIntegrity(): Promise<string> {
  const script = await readFile(path.join(process.cwd(), 'public', 'embed.js'))
  return `sha384-${createHash('sha384').update(script).digest('base64')}`
}

const CreateKey = z.object({
  environment: EnvironmentName,
  name: plainText(80)
    .trim()
    .refine((name) => name !== '', 'must not be empty'),
  /** Whether its views lead to the object's page in Carddesk. */
  hasLink: z.boolean('must be true or false').default(true),
})
const RevokeKey = z.object({ environment: EnvironmentName, keyId: z.uuid('must be a UUID') })

/** `secret` is the key itself, which is shown once and stored nowhere. */
type CreateKeyResult = { kind: 'created'; key: EmbedKey; secret: string } | NotStarted
type RevokeKeyResult = { kind: 'revoked'; key: EmbedKey } | NotStarted

/** Creates a key for a help desk's server, with its audit entry. */
export const createEmbedKey = action('createEmbedKey', {
  input: CreateKey,
  run: async (given, { staff }): Promise<CreateKeyResult> => {
    const { environment, name, hasLink } = given
    // Its holder acts in the name of any agent: whoever makes one is asked for a passkey, as for staff and roles.
    await requireStepUp({ environment, kind: 'embed-key.create', operationId: null, input: given, target: null })
    const secret = toKeySecret(randomBytes(32).toString('base64url'))
    const values = { id: randomUUID(), environment, name, hasLink, ...toStoredSecret(secret), createdAt: new Date() }
    const row = await inTransaction(database(), async (tx) => {
      const [created] = await tx
        .insert(embedKeys)
        .values({ ...values, createdBy: staff.name })
        .returning()
      if (!created) throw new TypeError('the key was not stored')
      await audit(tx, staff, environment, 'embed-key.create', created)
      return created
    })
    return { kind: 'created', key: toEmbedKey(row), secret }
  },
})

/** Revokes a key, with its audit entry: its tokens end with the next request. Revoking it again changes nothing. */
export const revokeEmbedKey = action('revokeEmbedKey', {
  input: RevokeKey,
  run: async ({ environment, keyId }, { staff }): Promise<RevokeKeyResult> => {
    const revoke = async (tx: Transaction) => {
      const byId = and(eq(embedKeys.id, keyId), eq(embedKeys.environment, environment))
      const [existing] = await tx.select().from(embedKeys).where(byId).for('update')
      if (!existing) throw new AppError('EMBED_KEY_NOT_FOUND', 'There is no such key in this environment.')
      if (existing.revokedAt) return existing
      const revoked = { revokedAt: new Date(), revokedBy: staff.name }
      await tx.update(embedKeys).set(revoked).where(byId)
      await audit(tx, staff, environment, 'embed-key.revoke', existing)
      return { ...existing, ...revoked }
    }
    const refusable = { environment, kind: 'embed-key.revoke', by: staff, target: null }
    const row = await auditRefusedAttempts(refusable, () => inTransaction(database(), revoke))
    return { kind: 'revoked', key: toEmbedKey(row) }
  },
})

/** The key that a request names as its bearer, if it counts; its use is noted once a minute. */
export async function findKeyOfBearer(secret: string): Promise<KeyRow | null> {
  const db = database()
  const now = new Date()
  const byHash = and(eq(embedKeys.hash, sha256Hex(secret)), isNull(embedKeys.revokedAt))
  const [row] = await db.select().from(embedKeys).where(byHash)
  if (!row) return null
  const isUnnoted = or(isNull(embedKeys.lastUsedAt), lt(embedKeys.lastUsedAt, new Date(now.getTime() - minuteMs)))
  await db
    .update(embedKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(embedKeys.id, row.id), isUnnoted))
  return row
}

/** The key whose tokens count; undefined for one that was revoked. */
export async function findActiveKey(
  id: string,
  environment: Environment,
): Promise<Pick<KeyRow, 'name' | 'hasLink'> | undefined> {
  const { name, hasLink, revokedAt } = embedKeys
  const [row] = await database()
    .select({ name, hasLink })
    .from(embedKeys)
    .where(and(eq(embedKeys.id, id), eq(embedKeys.environment, environment), isNull(revokedAt)))
  return row
}

async function audit(tx: Transaction, by: Staff, environment: Environment, act: string, key: KeyRow): Promise<void> {
  const target = { type: 'embed-key', id: key.id, parentId: null, label: key.name }
  await appendAudit(tx, { by, environment, act, target, outcome: 'done' })
}

function toEmbedKey(row: KeyRow): EmbedKey {
  const { id, name, ending, hasLink, createdAt, createdBy, lastUsedAt, revokedAt, revokedBy } = row
  return {
    id,
    name,
    ending,
    hasLink,
    createdAt: createdAt.toISOString(),
    createdBy,
    lastUsedAt: isoTime(lastUsedAt),
    revokedAt: isoTime(revokedAt),
    revokedBy,
  }
}
