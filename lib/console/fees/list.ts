import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { requireService } from '../desk/connections/environments.ts'
import { healthOf } from '../desk/connections/health-record.ts'
import type { Freshness } from '../desk/connections/health.ts'
import { ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import { withAccounts, type FeeRow } from './accounts.ts'
import { detailOf, type FeeDetail } from './detail.ts'
import { parseFeeFilters, type FeeFilters } from './filter.ts'
import { fetchFees, feeNotFound } from './read.ts'
import { cachedTotals, type FeeTotals } from './totals.ts'

export type { FeeAccount, FeeRow } from './accounts.ts'
export type { FeeBalance, FeeDetail } from './detail.ts'
export type { FeeFilters } from './filter.ts'
export type { CurrencyFees } from './sums.ts'
export type { FeeTotals } from './totals.ts'

/** One page, newest first, straight from the service. */
export type FeePage = {
  fees: FeeRow[]
  /** Records of this page that came without an id. */
  excluded: number
  prevPageToken: string | null
  nextPageToken: string | null
  freshness: Freshness
}

const defaultPageSize = 50

/** Fees by every filter of the interface. Throws `INVALID_PARAMETERS`. */
export async function listFees(environment: Environment, search: FeeFilters): Promise<FeePage> {
  await requirePermission('accounts.read', environment)
  const filters = parseFeeFilters(search)
  requireService(environment)
  const { response, excluded, fetchedAt } = await fetchFees(environment, { pageSize: defaultPageSize, ...filters })
  return {
    fees: await withAccounts(environment, response.fees),
    excluded,
    prevPageToken: response.prevPageToken,
    nextPageToken: response.nextPageToken,
    freshness: { asOf: fetchedAt.toISOString(), source: 'service', health: await healthOf(environment) },
  }
}

/** Sums of everything that a filter matches, whatever page of it is requested. */
export async function readFeeTotals(environment: Environment, search: FeeFilters): Promise<FeeTotals> {
  await requirePermission('accounts.read', environment)
  const filters = parseFeeFilters(search)
  requireService(environment)
  return cachedTotals(environment, filters)
}

/** One fee with the balance of its account, both as the service has them now. Throws `FEE_NOT_FOUND`. */
export async function readFee(environment: Environment, feeId: string): Promise<FeeDetail> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  if (!ServiceId.safeParse(feeId).success) throw feeNotFound()
  return detailOf(environment, feeId)
}
