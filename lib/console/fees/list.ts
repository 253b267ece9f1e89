import 'server-only'
import { z } from 'zod'
import { cutPage, cursorIn, cursorOf, Side } from '#lib/db/keyset.ts'
import { requireService } from '#lib/environments/environments.ts'
import { freshnessOf } from '#lib/environments/health.ts'
import type { ServicePage } from '#lib/environments/types.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withAccounts } from './accounts.ts'
import { detailOf } from './detail.ts'
import { parseFeeFilters, type FeeFilters, type ParsedFeeFilters } from './filter.ts'
import { fetchFees, feeNotFound, isNarrowedHere } from './read.ts'
import { cachedFees, cachedTotals } from './totals.ts'
import type { FeeDetail, FeeRow, FeeTotals } from './types.ts'

export type { FeeFilters } from './filter.ts'

/** One page, newest first: from the service directly, or filtered here where the service lacks a filter. */
/** `isCut` where the console did not read all fees among which it looked for the matching ones. */
export type FeePage = ServicePage & { fees: FeeRow[]; isCut: boolean }

const defaultPageSize = 50

/** Fees by every filter of the interface. Throws `INVALID_PARAMETERS`. */
export async function listFees(environment: Environment, search: FeeFilters): Promise<FeePage> {
  const filters = parseFeeFilters(search)
  requireService(environment)
  const isPagedHere = isNarrowedHere(filters) || isOwnToken(environment, filters)
  const page = await (isPagedHere ? pageOfMatching : pageOfService)(environment, filters)
  const { fees, fetchedAt, ...rest } = page
  return {
    ...rest,
    fees: await withAccounts(environment, fees),
    freshness: await freshnessOf(environment, fetchedAt),
  }
}

/** A service that sends them all, whatever page size is asked for, gets its pages made here. */
async function pageOfService(environment: Environment, filters: ParsedFeeFilters) {
  const { pageSize = defaultPageSize } = filters
  const { response, excluded, unmatched, fetchedAt } = await fetchFees(environment, {
    ...filters,
    pageSize,
  })
  const { fees, prevPageToken, nextPageToken } = response
  if (fees.length > pageSize) return pageOfMatching(environment, filters)
  return { fees, excluded, unmatched, isCut: false, prevPageToken, nextPageToken, fetchedAt }
}

const Cursor = z.object({ id: z.string(), side: Side })

function scopeOf(
  environment: Environment,
  { pageSize: _pageSize, pageToken: _pageToken, ...filters }: ParsedFeeFilters,
): string {
  return JSON.stringify(['fees', environment, filters])
}

/** Whether a page's token was made here, and is not the service's. */
function isOwnToken(environment: Environment, filters: ParsedFeeFilters): boolean {
  const { pageToken } = filters
  return pageToken !== undefined && Cursor.safeParse(cursorOf(scopeOf(environment, filters), pageToken)).success
}

/** One page of what the console found among the fees that the service's own filters leave. */
async function pageOfMatching(environment: Environment, given: ParsedFeeFilters) {
  const { pageSize = defaultPageSize, pageToken, ...filters } = given
  const { fees, excluded, unmatched, isCut, fetchedAt } = await cachedFees(environment, filters)
  const scope = scopeOf(environment, given)
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
  const filters = parseFeeFilters(search)
  requireService(environment)
  return cachedTotals(environment, filters)
}

/** One fee with the balance of its account, both as the service has them now. Throws `FEE_NOT_FOUND`. */
export async function readFee(environment: Environment, feeId: string): Promise<FeeDetail> {
  requireService(environment)
  if (!ServiceId.safeParse(feeId).success) throw feeNotFound()
  return detailOf(environment, feeId)
}
