import 'server-only'
import { sql } from 'drizzle-orm'
import type { FeeEntry } from '#lib/contract/records.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { readOccurring } from '#lib/index/distinct-values.ts'
import type { Sort } from '#lib/index/keyset.ts'
import { pageRecords } from '#lib/index/record-page.ts'
import { readStatusTotals } from '#lib/index/status-totals.ts'
import { idKey } from '#lib/shared/ids.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { findEarlierWaiver } from './earlier-waiver.ts'
import { withAccounts } from './fee-accounts.ts'
import { feeCondition, FeeFilters, type ParsedFeeFilters } from './fee-filters.ts'
import { feeFreshness } from './fee-freshness.ts'
import { readFeeWithAccount } from './fee-with-account.ts'
import { findHeldFees } from './held-fees.ts'
import { feeIndex, readFeesVersion } from './index-fees.ts'
import type { FeeDetail, FeeList } from './types.ts'

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
    readFeeTotals(environment, filters),
    readOccurring(indexedFees, environment, { intents: 'intent', currencies: 'currency' }),
    feeIndex.coverage(environment),
    readHealth(environment),
  ])
  return { ...page, totals, choices, coverage, health }
}

async function readFeeTotals(environment: Environment, filters: ParsedFeeFilters) {
  // The texts that are searched change with the accounts, too.
  const version = filters.q ? undefined : await readFeesVersion(environment)
  const source = { table: indexedFees, amount: indexedFees.change }
  return readStatusTotals(source, environment, filters, feeCondition, version)
}

async function readPage(environment: Environment, filters: ParsedFeeFilters) {
  const request = { list: 'fees', environment, search: filters }
  const sort = sorts[filters.sort ?? 'createdAt']
  const { rows, ...page } = await pageRecords(indexedFees, sort, request, feeCondition(environment, filters))
  const fees = rows.map(({ record }) => record as FeeEntry)
  return { ...page, fees: await withAccounts(environment, fees) }
}

/** One fee with the balance of its account, both as the service has them now. Throws `FEE_NOT_FOUND`. */
export async function readFee(environment: Environment, feeId: string): Promise<FeeDetail> {
  const read = await readFeeWithAccount(environment, feeId)
  const { id } = read.fee
  const [waivedBefore, held] = await Promise.all([findEarlierWaiver(environment, id), findHeldFees(environment, [id])])
  return { ...read, waivedBefore, heldBy: held.get(idKey(id)) ?? null }
}
