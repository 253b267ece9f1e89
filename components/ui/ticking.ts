'use client'

import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    if (document.visibilityState === 'visible') for (const tick of listeners) tick()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** A text that depends on the time of day, read again each second; null while the server's HTML is taken over. */
export function useTicking(read: (nowMs: number) => string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => read(Date.now()),
    () => null,
  )
}
