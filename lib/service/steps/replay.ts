import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import type { Database, Queryable } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { textIn } from '#lib/shared/json.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { dayMs } from '#lib/shared/time.ts'
import { ApiError, type FieldIssue } from '../api-error.ts'
import { idempotency } from '../tables/runtime.ts'

/** A request under an idempotency key: the parts that must be equal for the stored response to be sent again. */
export type KeyedRequest = { accessKey: string; key: string; path: string; bodySha256: string }

export type StoredResponse = { path: string; bodySha256: string; status: number; answer: string }

export const storedForMs = dayMs

/** Another request's response is stored under the key: thrown inside a transaction, which is thereby undone. */
export class KeyTaken extends Error {}

const insertResponse = perDatabase((db) =>
  db
    .insert(idempotency)
    .values({
      accessKey: sql.placeholder('accessKey'),
      key: sql.placeholder('key'),
      path: sql.placeholder('path'),
      bodySha256: sql.placeholder('bodySha256'),
      status: sql.placeholder('status'),
      answer: sql.placeholder('answer'),
      createdAt: sql.placeholder('createdAt'),
    })
    .onConflictDoUpdate({
      target: [idempotency.accessKey, idempotency.key],
      set: {
        path: sql`excluded.path`,
        bodySha256: sql`excluded.body_sha256`,
        status: sql`excluded.status`,
        answer: sql`excluded.answer`,
        createdAt: sql`excluded.created_at`,
      },
      setWhere: lte(idempotency.createdAt, sql.placeholder('expired')),
    })
    .returning({ isStored: sql<boolean>`true` })
    .prepare('service_store_response'),
)

/**
 * Stores a response under its key, as the last thing of the transaction that has its effect. The primary key
 * decides between two requests that run at once: the second waits here for the first, and throws `KeyTaken`.
 */
export async function storeResponse(
  db: Queryable,
  request: KeyedRequest,
  response: { status: number; body: string },
  now: Date,
): Promise<void> {
  const stored = await insertResponse(db).execute({
    ...request,
    status: response.status,
    answer: response.body,
    createdAt: now,
    expired: new Date(now.getTime() - storedForMs),
  })
  if (stored.length === 0) throw new KeyTaken()
}

/** Whether a response is stored under the key that is not older than they are kept. */
export async function isResponseStored(db: Queryable, { accessKey, key }: KeyedRequest, now: Date): Promise<boolean> {
  const isKept = gt(idempotency.createdAt, new Date(now.getTime() - storedForMs))
  const [stored] = await db
    .select({ key: idempotency.key })
    .from(idempotency)
    .where(and(eq(idempotency.accessKey, accessKey), eq(idempotency.key, key), isKept))
  return stored !== undefined
}

export async function findStoredResponse(db: Database, { accessKey, key }: KeyedRequest): Promise<StoredResponse> {
  const [stored] = await db
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.accessKey, accessKey), eq(idempotency.key, key)))
  if (!stored) throw new Error('a taken idempotency key has no response')
  return stored
}

/** Throws `IDEMPOTENCY_CONFLICT` unless the stored response is one to the same path and the same bytes. */
export function requireSameRequest(stored: StoredResponse, request: KeyedRequest): void {
  if (stored.path === request.path && stored.bodySha256 === request.bodySha256) return
  throw new ApiError(
    'IDEMPOTENCY_CONFLICT',
    stored.path === request.path
      ? 'the idempotency key was used before with another body'
      : `the idempotency key was used before for ${stored.path}`,
  )
}

/**
 * The idempotency key of a POST: the header, or `idempotencyKey` in the body where the row has it. Null where there is
 * none; a key in the body that is not usable is left to the schema to refuse.
 */
export function findIdempotencyKey(
  header: string | null,
  row: Endpoint | undefined,
  body: unknown,
): Result<string | null, FieldIssue> {
  const inBody = row && namesKey(row) ? readKey(body) : null
  if (header !== null && !isUsable(header)) {
    return fail({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible characters' })
  }
  if (header !== null && inBody !== null && header !== inBody) {
    return fail({ path: 'idempotencyKey', message: 'must be the same as in the header Idempotency-Key' })
  }
  return ok(header ?? inBody)
}

function namesKey({ body }: Endpoint): boolean {
  return body !== undefined && 'shape' in body && 'idempotencyKey' in (body.shape as object)
}

function readKey(body: unknown): string | null {
  const key = textIn(body, 'idempotencyKey')
  return key !== null && isUsable(key) ? key : null
}

function isUsable(key: string): boolean {
  return key.trim() !== '' && key.length <= 255 && !/[\p{Cc}\p{Cs}]/u.test(key)
}
