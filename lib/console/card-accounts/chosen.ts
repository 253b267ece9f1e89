import 'server-only'
import { and, desc, eq } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { toAccountCondition, CardAccountFilters } from '#lib/index/account-filter.ts'
import { hasId } from '#lib/index/conditions.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { maximumBulkItems } from '#lib/operations/bulk/start.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { takeRows } from '../bulk/plan.ts'
import { requireUnmaskedFilters, withClock } from './list.ts'

/** These accounts of the index, or all that a filter matches, the newest first, as many as a job takes. */
export async function findChosenAccounts(
  environment: Environment,
  ids: readonly string[] | null,
  search: Record<string, unknown>,
) {
  const filters = ids ? {} : parseSearch(CardAccountFilters, search)
  await requireUnmaskedFilters(environment, filters)
  await freshenForReader(environment)
  const condition = ids
    ? hasId(account.id, ids)
    : toAccountCondition(environment, (await withClock(environment, filters)).filters)
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
  const { rows: accounts, ...taken } = takeRows(found, ids)
  return { accounts, ...taken }
}
