import 'server-only'
import type { FeeEntry } from '#lib/contract/records.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { orNotFound, AppError } from '../desk/app-error.ts'
import { callService } from '../desk/connections/environments.ts'
import { fetchPages } from '../desk/connections/paginate.ts'
import type { ParsedFeeFilters } from './filter.ts'

/** As many fees as are read for totals and for a bulk waiver: fifty pages. */
export const fetchedFees = 5000
const maximumPages = 250

/**
 * All fees of a filter, newest first, up to `fetchedFees`; `isCut` where there are more, or the service repeats a page.
 * `excluded` counts records without an id.
 */
export type FetchedFees = { fees: FeeEntry[]; excluded: number; isCut: boolean; fetchedAt: Date; pages: number }

/** One page, as the service returns it. */
export async function fetchFees(environment: Environment, { pageSize, ...filters }: ParsedFeeFilters) {
  return callService(environment, 'listFees', {
    query: { ...filters, ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }) },
  })
}

/** Reads every page of a filter, whatever page it names itself. */
export async function paginateFees(environment: Environment, filters: ParsedFeeFilters): Promise<FetchedFees> {
  const { pageToken: _pageToken, pageSize: _pageSize, ...narrowing } = filters
  const fetchedAt = new Date()
  const found = new Map<string, FeeEntry>()
  let [pages, excluded, isCut] = [0, 0, false]
  for await (const page of fetchPages(environment, 'listFees', narrowing, { maximumPages })) {
    pages += 1
    excluded += page.excluded
    for (const fee of page.response.fees) found.set(fee.id.toLowerCase(), fee)
    isCut = page.hasMore !== 'no' || found.size > fetchedFees
    if (found.size >= fetchedFees) break
  }
  return { fees: [...found.values()].slice(0, fetchedFees), excluded, isCut, fetchedAt, pages }
}

/** The fee as the service has it now. Throws `FEE_NOT_FOUND`, also where the service refuses the id's form. */
export async function readOneFee(environment: Environment, feeId: string): Promise<{ fee: FeeEntry; fetchedAt: Date }> {
  const { response, fetchedAt } = await orNotFound(fetchFees(environment, { feeId }), feeNotFound)
  const fee = response.fees.find(({ id }) => sameId(id, feeId))
  if (!fee) throw feeNotFound()
  return { fee, fetchedAt }
}

export function feeNotFound(): AppError {
  return new AppError('FEE_NOT_FOUND', 'There is no such fee in this environment.')
}
