import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRereader } from './live-follower.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const key = ['sandbox', 'card-accounts', 'list']

/** Reads that take a while; each remembers when it began, and how many changes there had been then. */
function openReads(takesMs = 50) {
  const log: { name: string; atMs: number; changes: number }[] = []
  let changes = 0
  const rereader = createRereader(async (queryKey) => {
    log.push({ name: queryKey.join(' '), atMs: Date.now(), changes })
    await new Promise((resolve) => setTimeout(resolve, takesMs))
  })
  const change = (...queryKeys: string[][]) => {
    changes += 1
    rereader.stale(queryKeys.length > 0 ? queryKeys : [key])
  }
  return { log, change, stop: rereader.stop, changes: () => changes }
}

test('what changed is read at once, however much else changed just before', () => {
  const { log, change } = openReads()
  const began = Date.now()
  change(['sandbox', 'webhooks', 'inbox'])
  change(['sandbox', 'card-accounts', 'detail', '1'])
  expect(log.map(({ atMs }) => atMs - began)).toEqual([0, 0])
})

test('what changes while it is read is read once more, as soon as that reading ends', async () => {
  const { log, change } = openReads(50)
  const began = Date.now()
  change()
  await vi.advanceTimersByTimeAsync(10)
  change()
  change()
  await vi.advanceTimersByTimeAsync(5000)
  expect(log.map(({ atMs }) => atMs - began)).toEqual([0, 50])
})

test('a failed refetch does not block later ones', async () => {
  const rereads = vi.fn(async () => Promise.reject(new Error('the console does not respond')))
  const { stale } = createRereader(rereads)
  stale([key])
  await vi.advanceTimersByTimeAsync(1)
  stale([key])
  expect(rereads).toHaveBeenCalledTimes(2)
})

test('a storm of changes is a few readings a second, and two changes a second are each read at once', async () => {
  const storm = openReads(5)
  for (let at = 0; at < 10_000; at += 10) {
    storm.change()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(storm.log.length).toBeGreaterThanOrEqual(40)
  expect(storm.log.length).toBeLessThanOrEqual(50)

  const calm = openReads(5)
  const changedAt: number[] = []
  for (let times = 0; times < 40; times += 1) {
    changedAt.push(Date.now())
    calm.change()
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(calm.log.map(({ atMs }) => atMs)).toEqual(changedAt)
})

test('in every order of events, the last refetch of a key starts after its last change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(400), { minLength: 1, maxLength: 60 }), fc.nat(300), async (gaps, takesMs) => {
      const { log, change, changes, stop } = openReads(takesMs)
      for (const gapMs of gaps) {
        change()
        await vi.advanceTimersByTimeAsync(gapMs)
      }
      await vi.advanceTimersByTimeAsync(20_000)
      expect(log.at(-1)?.changes).toBe(changes())
      stop()
    }),
    { numRuns: 50 },
  )
})

test('a page that is open for thousands of keys drops idle ones and loses no change', async () => {
  const { log, change } = openReads(1)
  for (let number = 0; number < 3000; number += 1) {
    change(['sandbox', 'cards', 'detail', String(number)])
    await vi.advanceTimersByTimeAsync(5)
  }
  expect(new Set(log.map(({ name }) => name)).size).toBe(3000)
})

test('nothing is read after the page was closed', async () => {
  const { log, change, stop } = openReads(50)
  change()
  change()
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(log).toHaveLength(1)
})
