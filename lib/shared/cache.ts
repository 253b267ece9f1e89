import { globalSingleton } from './global-singleton.ts'
import { type RequestContext, currentRequestContext, outsideRequestContext } from './request-context.ts'

type Entry = { value: Promise<unknown>; expiresAt: number; startedBy: RequestContext | undefined }

export type Cache = {
  /**
   * The value of a key, computed once for all who need it meanwhile and then stored for `lifeMs` of the value and its
   * cost in time. A computation that fails is not stored. Where it ended because its caller left, the next who waits starts it again.
   */
  fetch: <Value>(
    key: string,
    compute: () => Promise<Value>,
    lifeMs: (value: Value, costMs: number) => number,
  ) => Promise<Value>
}

/** A cache in memory. Beyond `maximum` values the oldest is removed. No clock that is set makes a value live longer. */
export function createCache(maximum: number): Cache {
  const entries = new Map<string, Entry>()

  function start<Value>(
    key: string,
    compute: () => Promise<Value>,
    lifeMs: (value: Value, costMs: number) => number,
  ): Promise<Value> {
    const startMs = performance.now()
    const value = compute()
    const entry: Entry = { value, expiresAt: Number.POSITIVE_INFINITY, startedBy: currentRequestContext() }
    const endIn = (restMs: number) => {
      entry.expiresAt = performance.now() + restMs
      if (restMs <= 0 && entries.get(key) === entry) entries.delete(key)
    }
    value.then(
      (computed) => endIn(lifeMs(computed, performance.now() - startMs)),
      () => endIn(0),
    )
    entries.delete(key)
    entries.set(key, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= maximum) break
      entries.delete(oldest)
    }
    return value
  }

  return {
    async fetch(key, compute, lifeMs) {
      for (;;) {
        const cached = entries.get(key)
        if (!cached || cached.expiresAt <= performance.now()) return start(key, compute, lifeMs)
        try {
          // Values of one key are of one type.
          return (await cached.value) as Awaited<ReturnType<typeof compute>>
        } catch (error) {
          if (!cached.startedBy?.signal.aborted) throw error
        }
      }
    },
  }
}

const sums = globalSingleton('carddeskCachedSums', () => createCache(500))
const freeMs = 40
const longestMs = 30_000
/** A sum that takes less is not worth its place. */
const cheapMs = 10

/**
 * Sums over a whole program, cached for a time that grows with their cost: those of a small program are always fresh,
 * those of a large one are up to half a minute old, and the database spends at most one hundredth of its time on each.
 */
export function cachedByCost<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
  const lifeMs = (_: Value, costMs: number) => (costMs > freeMs ? Math.min(costMs * 100, longestMs) : 0)
  // A query of Drizzle runs where, and whenever, it is awaited: here, and once.
  return sums().fetch(key, () => outsideRequestContext(async () => compute()), lifeMs)
}

/** The same, where `version` changes with what is summed: until it does, cheaper sums are cached as well. */
export function cachedByVersion<Value>(key: string, version: string, compute: () => Promise<Value>): Promise<Value> {
  const lifeMs = (_: Value, costMs: number) => (costMs > cheapMs ? longestMs : 0)
  return cachedByCost(key, () => sums().fetch(`${key} at ${version}`, compute, lifeMs))
}
