import { setTimeout as delay } from 'node:timers/promises'
import { secondMs } from '#lib/shared/time.ts'

/** The first pages are fetched without a pause, so that a small program is read at once. */
const unpacedPages = 10
/** The rest of the rate limit is for staff. */
const pagesPerSecond = 8

/** Yields pages in order, each fetched while the one before is stored, and after the first ones no more than `pagesPerSecond`. */
export async function* paced<Read extends { fetchedAt: Date; hasMore: string }>(
  pages: AsyncGenerator<Read, undefined>,
): AsyncGenerator<Read> {
  let next = pages.next()
  for (let read = 1; ; read += 1) {
    const { value: page } = await next
    if (!page) return
    next = follow(pages, page, read > unpacedPages)
    // If storing this page fails, nobody awaits the next one: its failure must not count as unhandled.
    next.catch(() => undefined)
    yield page
  }
}

async function follow<Read extends { fetchedAt: Date; hasMore: string }>(
  pages: AsyncGenerator<Read, undefined>,
  page: Read,
  isPaced: boolean,
): Promise<IteratorResult<Read, undefined>> {
  const sinceMs = Date.now() - page.fetchedAt.getTime()
  if (isPaced && page.hasMore === 'next') await delay(Math.max(0, secondMs / pagesPerSecond - sinceMs))
  return pages.next()
}
