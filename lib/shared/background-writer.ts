import { setTimeout as delay } from 'node:timers/promises'

/**
 * Writes what collects in memory, with a pause before each write, so that no request waits for the write or fails with it. `take` takes
 * out what has collected; `onFailure` is told where it could not be written, and it is lost.
 */
export function backgroundWriter<Entry>(
  everyMs: number,
  take: () => Entry[],
  write: (entries: Entry[]) => Promise<void>,
  onFailure: (error: unknown) => void,
) {
  let writing: Promise<void> | null = null
  let hurry = new AbortController()

  async function writeAll(): Promise<void> {
    for (;;) {
      await delay(everyMs, undefined, { signal: hurry.signal, ref: false }).catch(() => undefined)
      const entries = take()
      if (entries.length === 0) break
      await write(entries).catch(onFailure)
    }
    writing = null
    hurry = new AbortController()
  }

  return {
    start(): void {
      writing ??= writeAll()
    },
    /** Writes what this process holds, without the pause, and waits for it. */
    async written(): Promise<void> {
      if (writing) hurry.abort()
      await writing
    },
  }
}

/** A background writer of entries in their order. Between two writes it holds the newest `most`: older ones are not written. */
export function boundedWriter<Entry>({
  most,
  everyMs,
  write,
  onFailure,
}: {
  most: number
  everyMs: number
  write: (entries: Entry[]) => Promise<void>
  onFailure: (error: unknown) => void
}) {
  const entries: Entry[] = []
  const { start, written } = backgroundWriter(everyMs, () => entries.splice(0), write, onFailure)
  return {
    add(entry: Entry): void {
      if (entries.length >= most) entries.shift()
      entries.push(entry)
      start()
    },
    written,
  }
}

/** Takes everything out of a map. */
export function takeAll<Entry>(collected: Map<string, Entry>): Entry[] {
  const entries = [...collected.values()]
  collected.clear()
  return entries
}
