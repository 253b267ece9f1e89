import type { Database, Queryable } from '#lib/db/connection.ts'
import { afterCommit } from '#lib/db/transaction.ts'

/** Wakes up whoever waits for it; a ring that nobody waits for is kept for the next one. */
export type Bell = { ring: () => void; wait: (atMostMs: number) => Promise<void> }

export function createBell(): Bell {
  let hasRung = false
  let wake: (() => void) | null = null
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async wait(atMostMs) {
      if (!hasRung) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, atMostMs)
        })
        clearTimeout(timer)
      }
      wake = null
      hasRung = false
    },
  }
}

const store = globalThis as typeof globalThis & { carddeskDeliveryBells?: Map<string, Set<Bell>> }

/** The bells of this process's deliveries on a database: one set a process, also where a bundler loads this module twice. */
function bellsOf(db: Database): Set<Bell> {
  const bells = (store.carddeskDeliveryBells ??= new Map())
  // By its URL: an event is recorded on one pool of a database, and deliveries run on another.
  const url = db.$client.options.connectionString ?? ''
  const known = bells.get(url) ?? new Set<Bell>()
  bells.set(url, known)
  return known
}

/** Has a bell rung after each commit of an event; the returned function ends that. */
export function hangBell(db: Database, bell: Bell): () => void {
  bellsOf(db).add(bell)
  return () => void bellsOf(db).delete(bell)
}

/**
 * Notes that a transaction has recorded an event: its commit wakes this process's deliveries. Other processes need no
 * waking: whoever has just used a queue looks at it once more, so a message is never left between two processes.
 */
export function noteEvent(tx: Queryable): void {
  afterCommit(tx, ringBells)
}

function ringBells(db: Database): void {
  for (const bell of bellsOf(db)) bell.ring()
}
