'use client'

import { useSyncExternalStore } from 'react'
import type { LiveState } from './live-source.ts'

let current: LiveState = 'connecting'
const listeners = new Set<() => void>()

export function setLiveState(state: LiveState): void {
  current = state
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether this page hears of changes as they happen. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => 'connecting',
  )
}
