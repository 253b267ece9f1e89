'use client'

import { useEffect, useEffectEvent } from 'react'

const typing = 'input, textarea, select, [contenteditable="true"]'

type Shortcuts = { onPalette: () => void; onHelp: () => void }

/** Ctrl K or Cmd K opens the palette from anywhere; `?` the help, unless something is being typed. */
export function useShortcuts({ onPalette, onHelp }: Shortcuts): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      onPalette()
      return
    }
    const isTyping = event.target instanceof Element && event.target.closest(typing) !== null
    if (event.key === '?' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      onHelp()
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
