import 'server-only'
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { database } from '#lib/db/connection.ts'
import { operations } from '#lib/tables/operations.ts'
import type { OperationRow } from './journal.ts'
import { findSpec } from './registry.ts'

/** The code of an operation that may have been lost and is not sent again, because the record was changed since. */
export const changedSince = 'CHANGED_SINCE'

/**
 * Why an operation is outdated, as a sentence: another one has set the same after that time, and sending this one now would take
 * it back. Null where none has.
 */
export async function findLaterChange(
  { id, environment, kind, targetId }: OperationRow,
  after: Date,
): Promise<string | null> {
  const kinds = findSpec(kind)?.outdatedBy ?? (findOperationDefinition(kind)?.creates ? [] : [kind])
  const begunAt = sql`coalesce(${operations.approvedAt}, ${operations.createdAt})`
  const [later] = await database()
    .select({ kind: operations.kind, staffName: operations.staffName })
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        eq(operations.targetId, targetId),
        inArray(operations.kind, [...kinds]),
        ne(operations.id, id),
        inArray(operations.state, ['sending', 'done', 'partial', 'unknown']),
        sql`${begunAt} > ${after}`,
      ),
    )
    .orderBy(desc(begunAt))
    .limit(1)
  return later
    ? `“${findOperationDefinition(later.kind)?.label ?? later.kind}” by ${later.staffName} came after it.`
    : null
}
