import 'server-only'
import { and, sql } from 'drizzle-orm'
import { withoutPage } from '#lib/api/search.ts'
import type { FeeEntry } from '#lib/contract/records.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { distinctValues } from '#lib/index/distinct-values.ts'
import { pageSorted, type Sort } from '#lib/index/keyset.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { withAccounts } from './fee-accounts.ts'
import { feeCondition, FeeFilters, type ParsedFeeFilters } from './fee-filters.ts'
import { feeFreshness } from './fee-freshness.ts'
import { sumFees, type StatusSum } from './fee-sums.ts'
import { readFeeWithAccount } from './fee-with-account.ts'
import { feeNotFound, feeIndex } from './index-fees.ts'
import type { FeeDetail, FeeList, FeeTotals } from './types.ts'

export type { FeeFilters } from './fee-filters.ts'

const sorts: Record<NonNullable<ParsedFeeFilters['sort']>, Sort> = {
  createdAt: { by: sql`created_at`, type: sql`timestamptz` },
  amount: { by: sql`amount`, type: sql`numeric` },
}

/** One page of fees as the index has them, the newest first, with the totals of all that match. Throws `INVALID_PARAMETERS`. */
export async function listFees(environment: Environment, search: FeeFilters): Promise<FeeList> {
  const filters = parseSearch(FeeFilters, search)
  requireService(environment)
  await feeFreshness.forReader(environment)
  const [page, totals, choices, coverage, health] = await Promise.all([
    readPage(environment, filters),
    readTotals(environment, filters),
    readChoices(environment),
    feeIndex.coverage(environment),
    readHealth(environment),
  ])
  return { ...page, totals, choices, coverage, health }
}

async function readPage(environment: Environment, filters: ParsedFeeFilters) {
  const request = { list: 'fees', environment, search: filters }
  const { rows, ...page } = await pageSorted(
    sorts[filters.sort ?? 'createdAt'],
    request,
    (key, { condition, order, limit }) =>
      indexDatabase()
        .select({ id: indexedFees.id, record: indexedFees.record, key })
        .from(indexedFees)
        .where(and(feeCondition(environment, filters), condition))
        .orderBy(...order)
        .limit(limit),
  )
  const fees = rows.map(({ record }) => record as FeeEntry)
  return { ...page, fees: await withAccounts(environment, fees) }
}

/** How many match and their sums, per currency and status. */
async function readTotals(environment: Environment, filters: ParsedFeeFilters): Promise<FeeTotals> {
  const matching = withoutPage(filters)
  return cachedByCost(`fee totals ${environment} ${JSON.stringify(matching)}`, async () => {
    const { rows } = await indexDatabase().execute<StatusSum>(sql`
      select currency, status, count(*)::int as fees, trim_scale(sum(change))::text as amount,
        count(*) filter (where change is null)::int as excluded
      from ${indexedFees} where ${feeCondition(environment, matching)} group by currency, status`)
    return { matching: rows.reduce((count, { fees }) => count + fees, 0), currencies: sumFees(rows) }
  })
}

/** The intents and currencies that occur, as filters. */
async function readChoices(environment: Environment): Promise<FeeList['choices']> {
  return cachedByCost(`fee choices ${environment}`, async () => {
    const values = (column: string) => distinctValues(indexedFees, environment, column)
    const { rows } = await indexDatabase().execute<FeeList['choices']>(
      sql`select ${values('intent')} as intents, ${values('currency')} as currencies`,
    )
    return rows[0] ?? { intents: [], currencies: [] }
  })
}

/** One fee with the balance of its account, both as the service has them now. Throws `FEE_NOT_FOUND`. */
export async function readFee(environment: Environment, feeId: string): Promise<FeeDetail> {
  requireService(environment)
  if (!isServiceId(feeId)) throw feeNotFound()
  return readFeeWithAccount(environment, feeId)
}
