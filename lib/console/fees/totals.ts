import 'server-only'
import type { ServiceClient } from '#lib/client/service-client.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { isAppError } from '../desk/app-error.ts'
import { requireService } from '../desk/connections/environments.ts'
import { healthOf } from '../desk/connections/health-record.ts'
import type { ParsedFeeFilters } from './filter.ts'
import { type FetchedFees, fetchedFees, isNarrowedHere, paginateFees } from './read.ts'
import type { FeeTotals } from './shapes.ts'
import { sumFees } from './sums.ts'

type Stored<Value> = { value: Promise<Value>; until: number }
type Totals = Omit<FeeTotals, 'freshness'> & { fetchedAt: Date; pages: number }
type Cache = { totals: Map<string, Stored<Totals>>; fees: Map<string, Stored<FetchedFees>> }

const caches = processWide<WeakMap<ServiceClient, Cache>>('carddeskFeeTotals', () => new WeakMap())
/** Of lists of fees, which are large, few are stored. */
const maximumCached: Record<keyof Cache, number> = { totals: 200, fees: 8 }

/**
 * The totals of a filter, cached for a second per page that they cost: however many people look, a filter costs about
 * sixty requests a minute.
 */
export async function cachedTotals(environment: Environment, filters: ParsedFeeFilters): Promise<FeeTotals> {
  const {
    fetchedAt,
    pages: _pages,
    ...totals
  } = await cached(environment, 'totals', filters, async (narrowing) => {
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
    freshness: { asOf: fetchedAt.toISOString(), source: 'service', health: await healthOf(environment) },
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

function cacheOf(environment: Environment): Cache {
  const service = requireService(environment)
  const cache: Cache = caches().get(service) ?? { totals: new Map(), fees: new Map() }
  caches().set(service, cache)
  return cache
}

function cached<Kind extends keyof Cache, Value extends { fetchedAt: Date; pages: number }>(
  environment: Environment,
  kind: Kind,
  { pageSize: _pageSize, pageToken: _pageToken, ...filters }: ParsedFeeFilters,
  read: (filters: ParsedFeeFilters) => Promise<Value>,
): Promise<Value> {
  const cache = cacheOf(environment)[kind] as unknown as Map<string, Stored<Value>>
  const key = JSON.stringify(Object.entries(filters).toSorted())
  const known = cache.get(key)
  if (known && known.until > Date.now()) {
    // Another request started this fetch; it ended when that request's browser disconnected.
    return known.value.catch((error: unknown) => {
      if (isAppError(error)) throw error
      return cached(environment, kind, filters, read)
    })
  }
  const value = read(filters)
  const stored: Stored<Value> = { value, until: Number.POSITIVE_INFINITY }
  value.then(
    ({ fetchedAt, pages }) => (stored.until = fetchedAt.getTime() + Math.max(2, pages) * secondMs),
    () => cache.delete(key),
  )
  cache.delete(key)
  cache.set(key, stored)
  for (const oldest of cache.keys()) {
    if (cache.size <= maximumCached[kind]) break
    cache.delete(oldest)
  }
  return value
}
