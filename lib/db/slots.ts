import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { secondMs } from '#lib/shared/time.ts'
import { CallerBusy } from './errors.ts'

export type Slots = {
  /** Runs `work` once a slot is free. Throws the signal's reason where that is aborted before. */
  run: <Value>(work: () => Promise<Value>, signal?: AbortSignal) => Promise<Value>
}

type Limits = {
  timeoutMs: number
  onTimeout: () => Error
}

/** Limits how many callers run at once; the others wait in their order, `timeoutMs` at most. */
export function createSlots(count: number, { timeoutMs, onTimeout }: Limits): Slots {
  let free = count
  const queue = new Set<() => void>()

  function release(): void {
    const [grant] = queue
    if (grant) grant()
    else free += 1
  }

  function wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        queue.delete(grant)
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const grant = () => {
        end()
        resolve()
      }
      const leave = () => {
        end()
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        end()
        reject(onTimeout())
      }, timeoutMs)
      queue.add(grant)
      signal?.addEventListener('abort', leave)
    })
  }

  return {
    async run(work, signal) {
      signal?.throwIfAborted()
      if (free > 0) free -= 1
      else await wait(signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

const ofKeys = globalSingleton<Map<string, Slots>>('carddeskConcurrency', () => new Map())
const timeoutMs = 5 * secondMs

/**
 * Runs `work` once fewer than `atOnce` others of this key run. Throws `CallerBusy` after five seconds, and the signal's reason
 * once that is aborted. Keys name people and access keys, so their number is bounded.
 */
export async function limitConcurrency<Value>(
  key: string,
  atOnce: number,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  const slots = ofKeys().get(key) ?? createSlots(atOnce, { timeoutMs, onTimeout: () => new CallerBusy() })
  ofKeys().set(key, slots)
  return slots.run(work, signal)
}
