import { QueryPromise } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { currentRequestContext, inRequestContext } from '#lib/shared/request-context.ts'
import { cachedByCost, cachedByVersion, createCache } from './cache.ts'

const long = () => 60_000

test('a value is computed once for all who need it, and again when its life is over', async () => {
  const cache = createCache(10)
  let computed = 0
  const compute = async () => (computed += 1)
  expect(await Promise.all([cache.fetch('a', compute, long), cache.fetch('a', compute, long)])).toEqual([1, 1])
  expect(await cache.fetch('a', compute, long)).toBe(1)
  expect(await cache.fetch('b', compute, () => 0)).toBe(2)
  expect(await cache.fetch('b', compute, long)).toBe(3)
})

test('a sum that is given as a query runs once for all who need it, outside their requests', async () => {
  const contexts: unknown[] = []
  // A query of Drizzle runs for each who awaits it.
  const query = new (class extends QueryPromise<number> {
    override async execute() {
      return contexts.push(currentRequestContext())
    }
  })()
  const request = { signal: new AbortController().signal }
  const fetched = () => inRequestContext(request, () => cachedByCost('a', () => query))
  expect(await Promise.all([fetched(), fetched()])).toEqual([1, 1])
  expect(contexts).toEqual([undefined])
})

test('a sum that takes some time is cached as long as what it sums stays the same, and not by its cost', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let computed = 0
  const fetched = (version: string, takesMs: number) =>
    cachedByVersion('versions', version, async () => {
      vi.advanceTimersByTime(takesMs)
      return (computed += 1)
    })
  expect(await fetched('one', 20)).toBe(1)
  expect(await fetched('one', 20)).toBe(1)
  expect(await fetched('two', 20)).toBe(2)
  expect(await fetched('three', 0)).toBe(3)
  expect(await fetched('three', 0)).toBe(4)
})

test('a failure goes to all who wait and is not stored', async () => {
  const cache = createCache(10)
  let computed = 0
  const fail = async () => {
    computed += 1
    throw new Error('away')
  }
  const results = await Promise.allSettled([cache.fetch('a', fail, long), cache.fetch('a', fail, long)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(computed).toBe(1)
  expect(await cache.fetch('a', async () => 'back', long)).toBe('back')
})

test('who waits starts again where the caller who computed has left', async () => {
  const cache = createCache(10)
  const leaving = new AbortController()
  const left = inRequestContext({ signal: leaving.signal }, () =>
    cache.fetch('a', () => new Promise((_, reject) => leaving.signal.addEventListener('abort', reject)), long),
  )
  const waiting = cache.fetch('a', async () => 'own', long)
  leaving.abort()
  await expect(left).rejects.toBeDefined()
  expect(await waiting).toBe('own')
})

test('beyond the maximum the oldest value goes', async () => {
  const cache = createCache(2)
  let computed = 0
  const compute = async () => (computed += 1)
  for (const key of ['a', 'b', 'c', 'b', 'a']) await cache.fetch(key, compute, long)
  expect(computed).toBe(4)
})
