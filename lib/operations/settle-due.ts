import 'server-only'
import { and, eq, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { database, type Database } from '#lib/db/connection.ts'
import { isFree } from '#lib/db/queue.ts'
import { logFailure } from '#lib/shared/log.ts'
import { dayMs, hourMs } from '#lib/shared/time.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { operations } from '#lib/tables/operations.ts'
import { publishOperation, settleOperation } from './perform.ts'

const atOnce = 20

/**
 * Settles operations that a crash or a lost response left open, the longest waiting first. Several processes may do this
 * at once.
 */
export async function settleUnknownOperations(): Promise<void> {
  const db = database()
  await closeUnsent(db)
  await eraseOldSecrets(db)
  for (const id of await listDueOperations(db)) {
    try {
      await settleOperation(id)
    } catch (error) {
      logFailure(error, { while: 'settling an operation', operation: id })
    }
  }
}

/** Open operations whose next attempt is due, the longest waiting first. */
async function listDueOperations(db: Database): Promise<string[]> {
  const rows = await db
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(isNull(operations.settledAt), sql`${operations.nextSettlementAt} <= clock_timestamp()`, isFree(operations)),
    )
    .orderBy(operations.nextSettlementAt)
    .limit(atOnce)
  return rows.map(({ id }) => id)
}

/** Closes operations that were not sent within an hour, or in the day for which their secrets are stored, and erases their bytes. */
async function closeUnsent(db: Database): Promise<void> {
  const isHourOver = lt(sql`coalesce(${operations.approvedAt}, ${operations.createdAt})`, new Date(Date.now() - hourMs))
  const closed = await db
    .update(operations)
    .set({ settledAt: new Date(), sealedBody: null })
    .where(and(eq(operations.state, 'not-sent'), isNull(operations.settledAt), or(isHourOver, isSecretOld())))
    .returning()
  for (const row of closed) publishOperation(row)
}

/** It holds a secret and is a day old. */
function isSecretOld(): SQL | undefined {
  return and(eq(operations.holdsSecret, true), lt(operations.createdAt, new Date(Date.now() - dayMs)))
}

/**
 * Erases the secrets of operations that are open for a day: by then the service no longer recognises their keys, so
 * their bytes are never sent again. Reading the record settles such an operation.
 */
async function eraseOldSecrets(db: Database): Promise<void> {
  await db
    .update(operations)
    .set({ sealedBody: null })
    .where(
      and(
        isSecretOld(),
        ne(operations.state, 'waiting'),
        isNotNull(operations.sealedBody),
        isNull(operations.settledAt),
      ),
    )
  // The terms of an approval repeat the request: they go once its bytes are gone.
  await db
    .update(approvals)
    .set({ sealedTerms: null })
    .where(
      and(
        isNotNull(approvals.sealedTerms),
        sql`exists (select 1 from ${operations} where ${operations.id} = ${approvals.id}
          and ${operations.holdsSecret} and ${operations.sealedBody} is null)`,
      ),
    )
}
