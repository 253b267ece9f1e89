import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#lib/db/connection.ts'
import { secondMs } from '#lib/shared/time.ts'
import { logFailure } from './log.ts'

const writeEveryMs = secondMs

type Waiting<Entry> = { entries: Entry[]; next: number; writing: Promise<void> | null; hurry: AbortController }

/** A log whose entries are written within a second, in the background: what is logged never waits for it or fails with it. */
export type BackgroundLog<Entry> = {
  add: (db: Database, entry: Entry) => void
  /** Writes what this process holds, without the pause, and waits for it. */
  written: (db: Database) => Promise<void>
}

/** Between two writes the newest `mostWaiting` entries are held: under more load than that, older ones are not logged. */
export function backgroundLog<Entry>(
  name: string,
  mostWaiting: number,
  write: (db: Database, entries: Entry[]) => Promise<void>,
): BackgroundLog<Entry> {
  const waiting = new WeakMap<Database, Waiting<Entry>>()

  async function writeLater(db: Database, held: Waiting<Entry>): Promise<void> {
    while (held.next > 0) {
      await delay(writeEveryMs, undefined, { signal: held.hurry.signal, ref: false }).catch(() => undefined)
      const start = held.next > mostWaiting ? held.next % mostWaiting : 0
      const entries = [...held.entries.slice(start), ...held.entries.slice(0, start)]
      held.entries = []
      held.next = 0
      if (db.$client.ending) return
      await write(db, entries).catch((error: unknown) => logFailure(error, { work: name }))
    }
  }

  return {
    add(db, entry) {
      const held = waiting.get(db) ?? { entries: [], next: 0, writing: null, hurry: new AbortController() }
      waiting.set(db, held)
      held.entries[held.next % mostWaiting] = entry
      held.next += 1
      held.writing ??= writeLater(db, held).finally(() => {
        held.writing = null
        held.hurry = new AbortController()
      })
    },
    async written(db) {
      const held = waiting.get(db)
      held?.hurry.abort()
      await held?.writing
    },
  }
}
