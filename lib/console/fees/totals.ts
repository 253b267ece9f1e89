import 'server-only'
import type { ServiceClient } from '#lib/client/service-client.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { requireService } from '../desk/connections/environments.ts'
import { healthOf } from '../desk/connections/health-record.ts'
import type { Freshness } from '../desk/connections/health.ts'
import type { ParsedFeeFilters } from './filter.ts'
import { fetchedFees, paginateFees } from './read.ts'
import { sumFees, type CurrencyFees } from './sums.ts'

/** Everything that the filter matches, on every page. */
export type FeeTotals = {
  fees: number
  currencies: CurrencyFees[]
  /** More match than were read: these are the sums of only the newest `limit`. */
  isCut: boolean
  limit: number
  /** The intents that occur, as filters. */
  intents: string[]
  /** Records that came without an id: they are neither counted nor summed. */
  excluded: number
  freshness: Freshness
}

type Stored = { totals: Promise<Omit<FeeTotals, 'freshness'> & { fetchedAt: Date }>; until: number }
type Cache = Map<string, Stored>

/** One a process, also where a bundler loads this module twice. */
const globals = globalThis as typeof globalThis & { carddeskFeeTotals?: WeakMap<ServiceClient, Cache> }
const caches = () => (globals.carddeskFeeTotals ??= new WeakMap())
const maximumCached = 200

/**
 * The totals of a filter, cached for a second per page that they cost: however many people look, a filter costs about
 * sixty requests a minute.
 */
export async function cachedTotals(environment: Environment, filters: ParsedFeeFilters): Promise<FeeTotals> {
  const { pageSize: _pageSize, pageToken: _pageToken, ...narrowing } = filters
  const key = JSON.stringify(Object.entries(narrowing).toSorted())
  const cache = cacheOf(environment)
  const known = cache.get(key)
  const stored = known && known.until > Date.now() ? known : keep(cache, key, environment, narrowing)
  const { fetchedAt, ...totals } = await stored.totals
  return {
    ...totals,
    freshness: { asOf: fetchedAt.toISOString(), source: 'service', health: await healthOf(environment) },
  }
}

/** The next read is a fresh one: a fee was waived. */
export function forgetFeeTotals(environment: Environment): void {
  caches().delete(requireService(environment))
}

function cacheOf(environment: Environment): Cache {
  const service = requireService(environment)
  const cache: Cache = caches().get(service) ?? new Map()
  caches().set(service, cache)
  return cache
}

function keep(cache: Cache, key: string, environment: Environment, filters: ParsedFeeFilters): Stored {
  const totals = paginateFees(environment, filters).then(({ fees, excluded, isCut, fetchedAt, pages }) => {
    stored.until = fetchedAt.getTime() + Math.max(2, pages) * secondMs
    return {
      fees: fees.length,
      currencies: sumFees(fees),
      isCut,
      limit: fetchedFees,
      intents: [...new Set(fees.flatMap(({ intent }) => intent ?? []))].toSorted(),
      excluded,
      fetchedAt,
    }
  })
  const stored: Stored = { totals, until: Number.POSITIVE_INFINITY }
  totals.catch(() => cache.delete(key))
  cache.delete(key)
  cache.set(key, stored)
  for (const oldest of cache.keys()) {
    if (cache.size <= maximumCached) break
    cache.delete(oldest)
  }
  return stored
}
