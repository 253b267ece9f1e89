import 'server-only'
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { database } from '#lib/db/connection.ts'
import { resealed } from '#lib/db/sealing.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure, logResealed } from '#lib/shared/log.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { operations } from '#lib/tables/operations.ts'

type Sealed = { table: PgTable & { id: PgColumn }; name: string; column: PgColumn; boundTo: '' | `${string} ` }

/** Every column that holds sealed bytes for longer than a session. They are bound to the row's id after `boundTo`. */
const sealedColumns: readonly Sealed[] = [
  { table: operations, name: 'sealedBody', column: operations.sealedBody, boundTo: '' },
  { table: operations, name: 'sealedGrant', column: operations.sealedGrant, boundTo: 'grant ' },
  { table: approvals, name: 'sealedTerms', column: approvals.sealedTerms, boundTo: 'terms ' },
]

const atOnce = 500
const progress = globalSingleton('carddeskResealed', () => ({ isDone: false }))

/**
 * Seals with the present key what the previous one sealed, once in the life of a process, and logs when that is done. A row that another
 * process changes meanwhile keeps that change.
 */
export async function resealStored(): Promise<void> {
  if (progress().isDone || consoleSettings().previousSealingKey === null) return
  let rows = 0
  for (const sealed of sealedColumns) rows += await resealColumn(sealed)
  progress().isDone = true
  logResealed(rows)
}

async function resealColumn({ table, name, column, boundTo }: Sealed): Promise<number> {
  const db = database()
  const { id } = table
  let [after, changed] = ['00000000-0000-0000-0000-000000000000', 0]
  for (;;) {
    const page = (await db
      .select({ id, sealed: column })
      .from(table)
      .where(and(isNotNull(column), gt(id, after)))
      .orderBy(asc(id))
      .limit(atOnce)) as { id: string; sealed: Buffer }[]
    for (const row of page) {
      after = row.id
      const fresh = reseal(row.sealed, `${boundTo}${row.id}`)
      if (!fresh) continue
      await db
        .update(table)
        .set({ [name]: fresh })
        .where(and(eq(id, row.id), eq(column, row.sealed)))
      changed += 1
    }
    if (page.length < atOnce) return changed
  }
}

/** Null also for bytes that neither key opens: they were lost before and stay unchanged. */
function reseal(sealed: Buffer, boundTo: string): Buffer | null {
  try {
    return resealed(sealed, boundTo)
  } catch (error) {
    logFailure(error, { while: 'sealing stored bytes again' })
    return null
  }
}
