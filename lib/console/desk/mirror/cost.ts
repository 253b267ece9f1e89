type Kept = { value: unknown; expiresAt: number }

type Store = { kept: Map<string, Kept>; computing: Map<string, Promise<unknown>> }
const globals = globalThis as typeof globalThis & { carddeskCachedSums?: Store | undefined }
const maximumCached = 500

/**
 * Sums over a whole program, kept for a time that grows with what they cost: those of a small program are always fresh,
 * those of a large one are up to half a minute old, and the database spends at most one hundredth of its time on each.
 */
export async function cachedByCost<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
  const { kept, computing } = (globals.carddeskCachedSums ??= { kept: new Map(), computing: new Map() })
  const found = kept.get(key)
  if (found && found.expiresAt > Date.now()) return found.value as Value
  const running = computing.get(key)
  if (running) return running as Promise<Value>
  const startedAt = performance.now()
  const promise = compute().finally(() => computing.delete(key))
  computing.set(key, promise)
  const value = await promise
  const costMs = performance.now() - startedAt
  kept.delete(key)
  if (costMs > freeMs) kept.set(key, { value, expiresAt: Date.now() + Math.min(costMs * 100, longestMs) })
  for (const oldest of kept.keys()) {
    if (kept.size <= maximumCached) break
    kept.delete(oldest)
  }
  return value
}

const freeMs = 40
const longestMs = 30_000
