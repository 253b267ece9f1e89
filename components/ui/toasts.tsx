'use client'

import { Suspense, useSyncExternalStore } from 'react'
import type { Environment } from '#lib/shared/routes.ts'
import { lazyPart } from './lazy-part.ts'
import type { ToastMessage } from './toast-region.tsx'

let isWanted = false
let waiting: ToastMessage[] = []
let show: ((message: ToastMessage) => void) | null = null
const listeners = new Set<() => void>()

const ToastRegion = lazyPart(() => import('./toast-region.tsx').then((file) => file.ToastRegion))

/** Loads what shows toasts, so that a screen reader knows its region before the first message. */
export function prepareToasts(): void {
  if (isWanted) return
  isWanted = true
  for (const listener of listeners) listener()
}

/** Reports a result in a corner of the screen for some seconds. Never the only record of it. */
export function showToast(message: ToastMessage): void {
  prepareToasts()
  if (show) show(message)
  else waiting.push(message)
}

/** Hands the messages to the window; returns how to stop. */
function receiveToasts(receive: (message: ToastMessage) => void): () => void {
  show = receive
  for (const message of waiting) receive(message)
  waiting = []
  return () => {
    show = null
  }
}

/** Renders the toasts; once, in the frame of the console. */
export function Toasts({ environment }: { environment: Environment }) {
  const isOpen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isWanted,
    () => false,
  )
  return (
    isOpen && (
      <Suspense fallback={null}>
        <ToastRegion environment={environment} receive={receiveToasts} />
      </Suspense>
    )
  )
}
