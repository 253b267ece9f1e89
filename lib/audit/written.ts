import { inArray } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { afterCommit } from '#lib/db/transaction.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { auditEntries } from '#lib/tables/audit.ts'

/**
 * The entries that this process has committed and that no checkpoint has yet: their hashes by their numbers. They are not in the database, so
 * that deleting them there leaves a trace here.
 */
const written = globalSingleton('carddeskAuditWritten', () => new Map<number, string>())

/** Without checkpoints, as where the log does not hold, entries are not collected for ever. */
const mostWritten = 2000

/** Remembers an entry once it is committed. A number that is there already was taken again: the first entry under it was deleted. */
export function rememberWritten(tx: Queryable, number: number, hash: string): void {
  afterCommit(tx, () => {
    if (!written().has(number) && written().size < mostWritten) written().set(number, hash)
  })
}

export function hasUnsigned(): boolean {
  return written().size > 0
}

/** The first of the remembered entries that the log has not, or has with another hash; null where it has them all. */
export async function findLost(db: Queryable): Promise<{ number: number; problem: 'missing' | 'not written' } | null> {
  const { number, hash } = auditEntries
  const remembered = [...written()].toSorted(([one], [other]) => one - other)
  if (remembered.length === 0) return null
  const rows = await db
    .select({ number, hash })
    .from(auditEntries)
    .where(
      inArray(
        number,
        remembered.map(([each]) => each),
      ),
    )
  const stored = new Map(rows.map((row) => [row.number, row.hash]))
  const lost = remembered.find(([each, known]) => stored.get(each) !== known)
  return lost ? { number: lost[0], problem: stored.has(lost[0]) ? 'not written' : 'missing' } : null
}

/** Forgets the entries that a checkpoint has. */
export function forgetSigned(entries: number): void {
  for (const number of written().keys()) if (number <= entries) written().delete(number)
}
