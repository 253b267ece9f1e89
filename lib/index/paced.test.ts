import { expect, test } from 'vitest'
import { paced } from './paced.ts'

type Read = { at: number; fetchedAt: Date; hasMore: string }

/** A list of so many pages, which notes when each is asked for. */
async function* listOf(pages: number, log: string[]): AsyncGenerator<Read, undefined> {
  for (let at = 1; at <= pages; at += 1) {
    log.push(`fetch ${at}`)
    yield await Promise.resolve({ at, fetchedAt: new Date(), hasMore: at < pages ? 'next' : 'no' })
  }
}

test('a page is fetched while the one before is stored, and all come in order', async () => {
  const log: string[] = []
  for await (const { at } of paced(listOf(3, log))) {
    await Promise.resolve()
    log.push(`stored ${at}`)
  }
  expect(log.filter((line) => line.startsWith('stored'))).toEqual(['stored 1', 'stored 2', 'stored 3'])
  expect(log.indexOf('fetch 2')).toBeLessThan(log.indexOf('stored 1'))
})

test('after the first ten, there are eight pages a second', async () => {
  const began = performance.now()
  for await (const page of paced(listOf(14, []))) expect(page.at).toBeGreaterThan(0)
  expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 110)
})

test('what cannot be fetched is thrown after the page before was stored, and not where storing that failed first', async () => {
  async function* broken(): AsyncGenerator<Read, undefined> {
    yield await Promise.resolve({ at: 1, fetchedAt: new Date(), hasMore: 'next' })
    throw new Error('fetching failed')
  }
  const stored: number[] = []
  await expect(
    (async () => {
      for await (const { at } of paced(broken())) stored.push(at)
    })(),
  ).rejects.toThrow('fetching failed')
  expect(stored).toEqual([1])
  await expect(
    (async () => {
      for await (const { at } of paced(broken())) throw new Error(`storing ${at} failed`)
    })(),
  ).rejects.toThrow('storing 1 failed')
})
