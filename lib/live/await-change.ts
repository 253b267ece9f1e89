import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import type { FeedRow } from './feed.ts'
import { hub } from './stream.ts'

type Waiting = {
  /** At most this long, in milliseconds. */
  ms: number
  /** Aborted where the browser leaves. */
  signal: AbortSignal
  /** The changes after which `check` is called at once. */
  concerns: (row: FeedRow) => boolean
  /** Interval of further checks, in milliseconds: what no change announces comes this late at most. */
  everyMs: number
}

/**
 * Whether `check` holds, or comes to hold while it is waited for. False once the time is over, the browser has left or the server
 * stops. Rejects as `check` does.
 */
export async function awaitChange(check: () => Promise<boolean>, waiting: Waiting): Promise<boolean> {
  const { feed, ends } = hub()
  const until = Date.now() + waiting.ms
  let isOver = waiting.signal.aborted
  // Counts what comes while the check is under way, too.
  let hasCome = false
  let news = Promise.withResolvers<void>()
  const wake = () => {
    hasCome = true
    news.resolve()
  }
  const end = () => {
    isOver = true
    wake()
  }
  const unsubscribe = feed.subscribe((row) => waiting.concerns(row) && wake())
  ends.add(end)
  waiting.signal.addEventListener('abort', end, { once: true })
  try {
    while (!(await check())) {
      const leftMs = until - Date.now()
      if (isOver || leftMs <= 0) return false
      if (!hasCome) await waitAtMost(news.promise, Math.min(leftMs, waiting.everyMs))
      hasCome = false
      news = Promise.withResolvers()
    }
    return true
  } finally {
    unsubscribe()
    ends.delete(end)
    waiting.signal.removeEventListener('abort', end)
  }
}

async function waitAtMost(news: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController()
  await Promise.race([news, delay(ms, undefined, { signal: timer.signal, ref: false }).catch(() => undefined)])
  timer.abort()
}
