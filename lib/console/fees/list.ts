import 'server-only'
import { z } from 'zod'
import type { Environment } from '#lib/shared/routes.ts'
import { requireService } from '../desk/connections/environments.ts'
import { freshnessOf } from '../desk/connections/health.ts'
import { cutPage, cursorIn, Side } from '../desk/keyset.ts'
import { ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import type { ServicePage } from '../desk/shapes.ts'
import { withAccounts } from './accounts.ts'
import { detailOf } from './detail.ts'
import { parseFeeFilters, type FeeFilters, type ParsedFeeFilters } from './filter.ts'
import { fetchFees, feeNotFound, isNarrowedHere } from './read.ts'
import type { FeeDetail, FeeRow, FeeTotals } from './shapes.ts'
import { cachedFees, cachedTotals } from './totals.ts'

export type { FeeFilters } from './filter.ts'

/** One page, newest first: from the service directly, or filtered here where the service lacks a filter. */
/** `isCut` where the console did not read all fees among which it looked for the matching ones. */
export type FeePage = ServicePage & { fees: FeeRow[]; isCut: boolean }

const defaultPageSize = 50

/** Fees by every filter of the interface. Throws `INVALID_PARAMETERS`. */
export async function listFees(environment: Environment, search: FeeFilters): Promise<FeePage> {
  await requirePermission('accounts.read', environment)
  const filters = parseFeeFilters(search)
  requireService(environment)
  const page = await (isNarrowedHere(filters) ? pageOfMatching : pageOfService)(environment, filters)
  const { fees, fetchedAt, ...rest } = page
  return {
    ...rest,
    fees: await withAccounts(environment, fees),
    freshness: await freshnessOf(environment, fetchedAt),
  }
}

async function pageOfService(environment: Environment, filters: ParsedFeeFilters) {
  const { response, excluded, unmatched, fetchedAt } = await fetchFees(environment, {
    pageSize: defaultPageSize,
    ...filters,
  })
  const { fees, prevPageToken, nextPageToken } = response
  return { fees, excluded, unmatched, isCut: false, prevPageToken, nextPageToken, fetchedAt }
}

const Cursor = z.object({ id: z.string(), side: Side })

/** One page of what the console found among the fees that the service's own filters leave. */
async function pageOfMatching(
  environment: Environment,
  { pageSize = defaultPageSize, pageToken, ...filters }: ParsedFeeFilters,
) {
  const { fees, excluded, unmatched, isCut, fetchedAt } = await cachedFees(environment, filters)
  const scope = JSON.stringify(['fees', environment, filters])
  const cursor = cursorIn(Cursor, scope, pageToken)
  const at = cursor === null ? -1 : fees.findIndex(({ id }) => id === cursor.id)
  const isBackward = cursor?.side === 'before'
  const found = isBackward ? fees.slice(0, Math.max(0, at)).toReversed() : fees.slice(at + 1)
  const { rows, ...tokens } = cutPage(found, pageSize, cursor, scope, ({ id }) => ({ id }))
  // Records of the whole list that could not be read are counted once, on its first page.
  return { fees: rows, excluded: cursor === null ? excluded : 0, unmatched, isCut, ...tokens, fetchedAt }
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
