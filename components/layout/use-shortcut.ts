'use client'

import { useEffect, useEffectEvent } from 'react'

const typing = 'input, textarea, select, [contenteditable="true"]'

/**
 * Calls a function on a key, wherever the focus is. `isKey` tests the key; `isTyping` says that it is typed into a
 * field.
 */
export function useShortcut(isKey: (event: KeyboardEvent, isTyping: boolean) => boolean, run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.closest(typing) !== null
    if (!isKey(event, isTyping)) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Ctrl K or Cmd K. */
export function isPaletteKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey
}

/** `?`, unless something is being typed. */
export function isHelpKey({ key, ctrlKey, metaKey }: KeyboardEvent, isTyping: boolean): boolean {
  return key === '?' && !isTyping && !ctrlKey && !metaKey
}
