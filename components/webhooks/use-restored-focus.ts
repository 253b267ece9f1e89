import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Keeps the focus on what has it below `ref` when what is shown there changes places: a browser takes it away then. */
export function useRestoredFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const ref = useRef<Element>(null)
  const before = typeof document === 'undefined' ? null : document.activeElement
  useLayoutEffect(() => {
    const isLost = before instanceof HTMLElement && before !== document.activeElement && before.isConnected
    if (isLost && ref.current?.contains(before)) before.focus({ preventScroll: true })
  })
  return ref
}
