import { setTimeout as delay } from 'node:timers/promises'

/**
 * Writes what collects in memory, with a pause before each write, so that no request waits for the write or fails with
 * it. `write` takes out what `hasSome` finds, and reports its own failures.
 */
export function backgroundWriter(everyMs: number, hasSome: () => boolean, write: () => Promise<void>) {
  let writing: Promise<void> | null = null
  let hurry = new AbortController()

  async function writeAll(): Promise<void> {
    while (hasSome()) {
      await delay(everyMs, undefined, { signal: hurry.signal, ref: false }).catch(() => undefined)
      await write()
    }
  }

  return {
    start(): void {
      writing ??= writeAll().finally(() => {
        writing = null
        hurry = new AbortController()
      })
    },
    /** Writes what this process holds, without the pause, and waits for it. */
    async written(): Promise<void> {
      if (writing) hurry.abort()
      await writing
    },
  }
}
