import 'server-only'
import type { ServiceClient } from '#lib/client/service-client.ts'
import { requireService } from '#lib/environments/environments.ts'
import { freshnessOf } from '#lib/environments/health.ts'
import { type Cache, createCache } from '#lib/shared/cache.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import type { ParsedFeeFilters } from './filter.ts'
import { type FetchedFees, fetchedFees, isNarrowedHere, paginateFees } from './read.ts'
import { sumFees } from './sums.ts'
import type { FeeTotals } from './types.ts'

type Totals = Omit<FeeTotals, 'freshness'> & { fetchedAt: Date; pages: number }

const caches = processWide<WeakMap<ServiceClient, Record<'totals' | 'fees', Cache>>>(
  'carddeskFeeTotals',
  () => new WeakMap(),
)

/**
 * The totals of a filter, cached for a second per page that they cost: however many people look, a filter costs about
 * sixty requests a minute.
 */
export async function cachedTotals(environment: Environment, filters: ParsedFeeFilters): Promise<FeeTotals> {
  const {
    fetchedAt,
    pages: _pages,
    ...totals
  } = await cached(environment, 'totals', filters, async (narrowing): Promise<Totals> => {
    const { fees, excluded, isCut, fetchedAt, pages } = await (isNarrowedHere(narrowing) ? cachedFees : paginateFees)(
      environment,
      narrowing,
    )
    return {
      fees: fees.length,
      currencies: sumFees(fees),
      isCut,
      limit: fetchedFees,
      intents: [...new Set(fees.flatMap(({ intent }) => intent ?? []))].toSorted(),
      excluded,
      fetchedAt,
      pages,
    }
  })
  return {
    ...totals,
    freshness: await freshnessOf(environment, fetchedAt),
  }
}

/** All fees of a filter, stored as long as its totals are: the pages of a list are slices of it. */
export function cachedFees(environment: Environment, filters: ParsedFeeFilters): Promise<FetchedFees> {
  return cached(environment, 'fees', filters, (narrowing) => paginateFees(environment, narrowing))
}

/** The next read is a fresh one: a fee was waived. */
export function forgetFeeTotals(environment: Environment): void {
  caches().delete(requireService(environment))
}

/** Of lists of fees, which are large, few are stored. */
function cacheOf(environment: Environment) {
  const service = requireService(environment)
  const cache = caches().get(service) ?? { totals: createCache(200), fees: createCache(8) }
  caches().set(service, cache)
  return cache
}

function cached<Value extends { fetchedAt: Date; pages: number }>(
  environment: Environment,
  kind: 'totals' | 'fees',
  { pageSize: _pageSize, pageToken: _pageToken, ...filters }: ParsedFeeFilters,
  read: (filters: ParsedFeeFilters) => Promise<Value>,
): Promise<Value> {
  return cacheOf(environment)[kind].fetch(
    JSON.stringify(Object.entries(filters).toSorted()),
    () => read(filters),
    ({ fetchedAt, pages }) => fetchedAt.getTime() + Math.max(2, pages) * secondMs - Date.now(),
  )
}
