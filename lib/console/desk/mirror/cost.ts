import { withoutCaller } from '#lib/shared/caller.ts'
import { processWide } from '#lib/shared/process-wide.ts'

type Stored = { value: unknown; expiresAt: number }

type Store = { stored: Map<string, Stored>; computing: Map<string, Promise<unknown>> }
const sums = processWide<Store>('carddeskCachedSums', () => ({ stored: new Map(), computing: new Map() }))
const maximumCached = 500

/**
 * Sums over a whole program, cached for a time that grows with their cost: those of a small program are always fresh,
 * those of a large one are up to half a minute old, and the database spends at most one hundredth of its time on each.
 */
export async function cachedByCost<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
  const { stored, computing } = sums()
  const found = stored.get(key)
  if (found && found.expiresAt > Date.now()) return found.value as Value
  const running = computing.get(key)
  if (running) return running as Promise<Value>
  const startedAt = performance.now()
  const promise = withoutCaller(compute).finally(() => computing.delete(key))
  computing.set(key, promise)
  const value = await promise
  const costMs = performance.now() - startedAt
  stored.delete(key)
  if (costMs > freeMs) stored.set(key, { value, expiresAt: Date.now() + Math.min(costMs * 100, longestMs) })
  for (const oldest of stored.keys()) {
    if (stored.size <= maximumCached) break
    stored.delete(oldest)
  }
  return value
}

const freeMs = 40
const longestMs = 30_000
