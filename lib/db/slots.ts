export type Slots = {
  /** Waits for a free slot and returns how to free it again. Throws the signal's reason once that is aborted. */
  take: (signal?: AbortSignal) => Promise<() => void>
}

type Limits = {
  timeoutMs: number
  /** Callers beyond this number are rejected at once. */
  mostWaiting?: number
  onTimeout: () => Error
}

/** Limits how many callers run at once; the others wait in their order, `timeoutMs` at most. */
export function createSlots(count: number, { timeoutMs, mostWaiting = Infinity, onTimeout }: Limits): Slots {
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
    async take(signal) {
      signal?.throwIfAborted()
      if (free > 0) free -= 1
      else if (queue.size >= mostWaiting) throw onTimeout()
      else await wait(signal)
      let isHeld = true
      return () => {
        if (isHeld) release()
        isHeld = false
      }
    },
  }
}
