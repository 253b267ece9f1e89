import type { Database, Queryable } from '#lib/db/connection.ts'
import { afterCommit } from '#lib/db/transaction.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { serviceSchema } from '../sandboxes/schema-view.ts'

/** Wakes the waiting worker; a signal that nothing waits for is remembered for the next wait. */
export type WakeSignal = { wake: () => void; wait: (atMostMs: number) => Promise<void> }

export function createWakeSignal(): WakeSignal {
  let isSignalled = false
  let wake: (() => void) | null = null
  return {
    wake() {
      isSignalled = true
      wake?.()
    },
    async wait(atMostMs) {
      if (!isSignalled) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, atMostMs)
        })
        clearTimeout(timer)
      }
      wake = null
      isSignalled = false
    },
  }
}

const wakeSignals = globalSingleton<Map<string, Set<WakeSignal>>>('carddeskDeliverySignals', () => new Map())

/** The wake signals of this process's deliveries on a database. */
function findWakeSignals(db: Database): Set<WakeSignal> {
  // By its URL: an event is recorded on one pool of a database, and deliveries run on another. Each sandbox has its own.
  const url = `${db.$client.options.connectionString ?? ''} ${serviceSchema(db)}`
  const existing = wakeSignals().get(url) ?? new Set<WakeSignal>()
  wakeSignals().set(url, existing)
  return existing
}

/** Wakes the deliveries after each commit of an event; the returned function ends that. */
export function addWakeSignal(db: Database, wakeSignal: WakeSignal): () => void {
  findWakeSignals(db).add(wakeSignal)
  return () => void findWakeSignals(db).delete(wakeSignal)
}

/**
 * Notes that a transaction has recorded an event: its commit wakes this process's deliveries. Other processes need no
 * waking: a process that has just used a queue checks it once more, so a message is never left between two processes.
 */
export function noteEvent(tx: Queryable): void {
  afterCommit(tx, wakeAll)
}

function wakeAll(db: Database): void {
  for (const wakeSignal of findWakeSignals(db)) wakeSignal.wake()
}
