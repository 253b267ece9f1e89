import 'server-only'
import { and, desc, eq } from 'drizzle-orm'
import { hasId } from '#lib/db/conditions.ts'
import { database } from '#lib/db/connection.ts'
import { toAccountCondition, parseFilters } from '#lib/index/filter.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { maximumBulkItems } from '#lib/operations/bulk/start.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { requireUnmaskedFilters, withClock } from './list.ts'

/** These accounts of the index, or all that a filter matches, the newest first, as many as a job takes. */
export async function findChosenAccounts(
  environment: Environment,
  ids: readonly string[] | null,
  search: Record<string, unknown>,
) {
  const filters = ids === null ? parseFilters(search) : {}
  await requireUnmaskedFilters(environment, filters)
  await freshenForReader(environment)
  const condition =
    ids === null
      ? toAccountCondition(environment, (await withClock(environment, filters)).filters)
      : hasId(account.id, ids)
  const { id, name, xid, currency, xmetadata, readAt } = account
  const found =
    ids?.length === 0
      ? []
      : await database()
          .select({ id, name, xid, currency, xmetadata, readAt })
          .from(account)
          .where(and(eq(account.environment, environment), condition))
          .orderBy(desc(account.createdAt), desc(id))
          .limit(maximumBulkItems + 1)
  const accounts = found.slice(0, maximumBulkItems)
  const missing = ids === null ? 0 : ids.length - accounts.length
  return {
    accounts,
    unknown: missing > 0 ? [{ because: 'unknown', rows: missing }] : [],
    isTruncated: found.length > accounts.length,
    asOf: new Date(accounts.reduce((oldest, { readAt: at }) => Math.min(oldest, at.getTime()), Date.now())),
  }
}
