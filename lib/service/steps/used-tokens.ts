import { sql } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import type { RequestToken } from '#lib/signing/request-token.ts'
import { ApiError } from '../api-error.ts'
import { preparedSql } from '../prepared-sql.ts'
import { isResponseStored, type KeyedRequest, KeyTaken } from './replay.ts'

const remember = preparedSql(
  'service_remember_token',
  sql`
    insert into service.used_tokens (id, idempotency_key, dead_at)
    values (${sql.placeholder('id')}, ${sql.placeholder('key')}, to_timestamp(${sql.placeholder('deadAt')}::float8))
    on conflict (id) do nothing`,
)
/** RS256 is deterministic: without a `jti`, equal requests that were signed within one second have the same token. */
const equalTokensForSeconds = 1.5

const findUse = preparedSql<{ key: string | null; isRecent: boolean }>(
  'service_find_used_token',
  sql`
    select idempotency_key as key,
      used_at > clock_timestamp() - make_interval(secs => ${sql.raw(String(equalTokensForSeconds))}) as "isRecent"
    from service.used_tokens where id = ${sql.placeholder('id')}`,
)

/**
 * Remembers the token of a POST in the transaction of its effect, so that one token has one effect. The primary key decides
 * between two requests at once: the second waits for the first to end. Throws `KeyTaken` where the token was used under the
 * same idempotency key and its stored response can be sent again, and otherwise `TOKEN_REPLAYED`: the header with the key
 * is not signed, so another key does not make it another request. A token without `jti` may be that of another, equal request
 * of the same second, which an honest caller may send: it is refused only when it comes later than that.
 */
export async function rememberToken(
  db: Queryable,
  { id, deadAt, hasJti }: RequestToken,
  keyed: KeyedRequest | null,
  now: Date,
): Promise<void> {
  const { rowCount } = await remember(db, { id, key: keyed?.key ?? null, deadAt })
  if (rowCount === 1) return
  const [used] = (await findUse(db, { id })).rows
  if (keyed && used?.key === keyed.key && (await isResponseStored(db, keyed, now))) throw new KeyTaken()
  if (!hasJti && used?.isRecent) return
  throw new ApiError(
    'TOKEN_REPLAYED',
    'Authentication failed: this token was accepted before; sign each request again, with a random jti',
    { 'WWW-Authenticate': 'Bearer realm="service"' },
  )
}
