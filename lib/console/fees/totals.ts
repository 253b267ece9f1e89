import 'server-only'
import type { ServiceClient } from '#lib/client/service-client.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { requireService } from '../desk/connections/environments.ts'
import { healthOf } from '../desk/connections/health-record.ts'
import type { Seen } from '../desk/connections/health.ts'
import type { ParsedFeeFilters } from './filter.ts'
import { walkedFees, walkFees } from './read.ts'
import { sumFees, type CurrencyFees } from './sums.ts'

/** Everything that the filter matches, on every page. */
export type FeeTotals = {
  fees: number
  currencies: CurrencyFees[]
  /** More match than were read: these are the sums of the newest `limit` alone. */
  isCut: boolean
  limit: number
  /** The intents that occur, for whoever wants to narrow further. */
  intents: string[]
  /** Records that came without an id: they are neither counted nor summed. */
  excluded: number
  seen: Seen
}

type Kept = { totals: Promise<Omit<FeeTotals, 'seen'> & { askedAt: Date }>; until: number }
type Shelf = Map<string, Kept>

/** One a process, also where a bundler loads this module twice. */
const globals = globalThis as typeof globalThis & { carddeskFeeTotals?: WeakMap<ServiceClient, Shelf> }
const shelves = () => (globals.carddeskFeeTotals ??= new WeakMap())
const maximumKept = 200

/**
 * The totals of a filter, kept for a second per page that they cost: whoever and however many look, a filter costs about
 * sixty requests a minute.
 */
export async function keptTotals(environment: Environment, filters: ParsedFeeFilters): Promise<FeeTotals> {
  const { pageSize: _pageSize, pageToken: _pageToken, ...narrowing } = filters
  const key = JSON.stringify(Object.entries(narrowing).toSorted())
  const shelf = shelfOf(environment)
  const known = shelf.get(key)
  const kept = known && known.until > Date.now() ? known : keep(shelf, key, environment, narrowing)
  const { askedAt, ...totals } = await kept.totals
  return { ...totals, seen: { asOf: askedAt.toISOString(), source: 'service', health: await healthOf(environment) } }
}

/** The next reader reads anew: a fee was waived. */
export function forgetFeeTotals(environment: Environment): void {
  shelves().delete(requireService(environment))
}

function shelfOf(environment: Environment): Shelf {
  const service = requireService(environment)
  const shelf: Shelf = shelves().get(service) ?? new Map()
  shelves().set(service, shelf)
  return shelf
}

function keep(shelf: Shelf, key: string, environment: Environment, filters: ParsedFeeFilters): Kept {
  const totals = walkFees(environment, filters).then(({ fees, excluded, isCut, askedAt, pages }) => {
    kept.until = askedAt.getTime() + Math.max(2, pages) * secondMs
    return {
      fees: fees.length,
      currencies: sumFees(fees),
      isCut,
      limit: walkedFees,
      intents: [...new Set(fees.flatMap(({ intent }) => intent ?? []))].toSorted(),
      excluded,
      askedAt,
    }
  })
  const kept: Kept = { totals, until: Number.POSITIVE_INFINITY }
  totals.catch(() => shelf.delete(key))
  shelf.delete(key)
  shelf.set(key, kept)
  for (const oldest of shelf.keys()) {
    if (shelf.size <= maximumKept) break
    shelf.delete(oldest)
  }
  return kept
}
