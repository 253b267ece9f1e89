import { sql } from 'drizzle-orm'
import { seal, unsealWithEither, type SealingKeys } from '#lib/shared/sealing.ts'
import type { Database } from './connection.ts'

/** A column of sealed bytes, each bound to a text that names its row. */
export type SealedColumn = {
  /** With its schema: `console.operations`. */
  table: string
  column: string
  /** A column in whose order the rows are read: the primary key. */
  key: { name: string; type: 'uuid' | 'text' }
  boundTo: (key: string) => string
}

const atOnce = 1000

/**
 * Seals with the present key what the previous one sealed, and returns how many rows those were. A row that somebody changes meanwhile
 * keeps that change; bytes that neither key opens stay as they are.
 */
export async function resealColumn(db: Database, sealed: SealedColumn, keys: SealingKeys): Promise<number> {
  const { name, type } = sealed.key
  const [table, column] = [sql.raw(sealed.table), sql.raw(sealed.column)]
  const [key, keyType, keyTypes] = [sql.raw(name), sql.raw(type), sql.raw(`${type}[]`)]
  let [after, changed]: [string | null, number] = [null, 0]
  for (;;) {
    const { rows }: { rows: { key: string; sealed: Buffer }[] } = await db.execute(sql`
      select ${key} as key, ${column} as sealed from ${table}
      where ${column} is not null and (${after}::${keyType} is null or ${key} > ${after}::${keyType})
      order by ${key} limit ${atOnce}`)
    const fresh = rows.flatMap((row) => {
      const again = reseal(row.sealed, sealed.boundTo(row.key), keys)
      return again ? [{ ...row, again }] : []
    })
    if (fresh.length > 0) {
      await db.execute(sql`
        update ${table} set ${column} = fresh.again
        from unnest(
          ${sql.param(fresh.map((row) => row.key))}::${keyTypes},
          ${sql.param(fresh.map((row) => row.sealed))}::bytea[],
          ${sql.param(fresh.map((row) => row.again))}::bytea[]
        ) as fresh(key, before, again)
        where ${table}.${key} = fresh.key and ${table}.${column} = fresh.before`)
      changed += fresh.length
    }
    after = rows.at(-1)?.key ?? null
    if (after === null || rows.length < atOnce) return changed
  }
}

/** Null for what the present key and algorithm sealed, and for what neither key opens. */
function reseal(sealed: Buffer, boundTo: string, keys: SealingKeys): Buffer | null {
  try {
    const { plain, isCurrent } = unsealWithEither(keys, sealed, boundTo)
    return isCurrent ? null : seal(keys.key, plain, boundTo)
  } catch {
    return null
  }
}
