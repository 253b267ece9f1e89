import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db/connection.ts'
import { seal, unsealWithEither, type SealingKeys } from '#lib/shared/sealing.ts'
import { withClockLock } from './calendar.ts'
import { boundTo as serviceKeyName, sealingKeys, type KeyStore } from './service-keys.ts'
import { snapshotSchemas } from './snapshots.ts'

/** A table of the service with bytes that `CARD_NUMBER_KEY` sealed, and what they are bound to. */
type Sealed = {
  table: string
  id: string
  type: 'uuid' | 'text'
  first: string
  column: string
  boundTo: (id: string) => string
}

const sealedTables: readonly Sealed[] = [
  {
    table: 'cards',
    id: 'id',
    type: 'uuid',
    first: '00000000-0000-0000-0000-000000000000',
    column: 'sealed_number',
    boundTo: (id) => id,
  },
  { table: 'service_keys', id: 'name', type: 'text', first: '', column: 'value', boundTo: serviceKeyName },
]

const atOnce = 1000

/**
 * Seals with the present key what the previous one sealed, in the snapshots too, and returns how many rows those were. The
 * calendar is held meanwhile, so that no snapshot is taken or restored. Bytes that neither key opens stay as they are.
 */
export async function resealStored(store: KeyStore): Promise<number> {
  const { db } = store
  const keys = sealingKeys(store)
  return withClockLock(db, async () => {
    let rows = 0
    for (const schema of ['service', ...(await snapshotSchemas(db))])
      for (const sealed of sealedTables) rows += await resealTable(db, schema, sealed, keys)
    return rows
  })
}

async function resealTable(db: Database, schema: string, sealed: Sealed, keys: SealingKeys): Promise<number> {
  const [table, id, column] = [sql.raw(`${schema}.${sealed.table}`), sql.raw(sealed.id), sql.raw(sealed.column)]
  const ids = sql.raw(`${sealed.type}[]`)
  let [after, changed] = [sealed.first, 0]
  for (;;) {
    const { rows } = await db.execute<{ id: string; sealed: Buffer }>(sql`
      select ${id} as id, ${column} as sealed from ${table}
      where ${id} > ${after}::${sql.raw(sealed.type)} order by ${id} limit ${atOnce}`)
    const fresh = rows.flatMap((row) => {
      const again = resealed(row.sealed, sealed.boundTo(row.id), keys)
      return again ? [{ ...row, again }] : []
    })
    if (fresh.length > 0) {
      await db.execute(sql`
        update ${table} set ${column} = fresh.again
        from unnest(
          ${sql.param(fresh.map((row) => row.id))}::${ids},
          ${sql.param(fresh.map((row) => row.sealed))}::bytea[],
          ${sql.param(fresh.map((row) => row.again))}::bytea[]
        ) as fresh(id, before, again)
        where ${table}.${id} = fresh.id and ${table}.${column} = fresh.before`)
      changed += fresh.length
    }
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return changed
    after = last.id
  }
}

/** Null for what the present key and algorithm sealed, and for what neither key opens. */
function resealed(sealed: Buffer, boundTo: string, keys: SealingKeys): Buffer | null {
  try {
    const { plain, isCurrent } = unsealWithEither(keys, sealed, boundTo)
    return isCurrent ? null : seal(keys.key, plain, boundTo)
  } catch {
    return null
  }
}
