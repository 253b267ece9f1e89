'use client'

import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { lazyDialog, preloadDialog } from '#components/ui/dialog.tsx'
import { KeyboardShortcut } from '#components/ui/keyboard-shortcut.tsx'
import type { PaletteOffers } from './command-palette.tsx'

const loadPalette = () => import('./command-palette.tsx').then((file) => file.CommandPalette)
const CommandPalette = lazyDialog(loadPalette)

/**
 * The field of the top bar that opens the command palette, and the palette. Opening it re-renders no other part of the
 * shell.
 */
export function PaletteControl(offers: PaletteOffers) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  useShortcut(isPaletteKey, open)
  useShortcut(isSearchKey, open)
  useEffect(() => {
    const preload = () => {
      preloadDialog()
      loadPalette().catch(() => {})
    }
    const events = ['pointermove', 'keydown', 'touchstart'] as const
    for (const event of events) window.addEventListener(event, preload, { once: true, passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, preload)
    }
  }, [])

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        className="flex h-8 items-center gap-2 rounded-control border bg-surface px-2.5 text-faint shadow-control transition-colors hover:text-ink max-md:w-8 max-md:justify-center max-md:px-0 md:w-56 xl:w-72"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate text-left max-md:sr-only">Search name, last four, ID…</span>
        <KeyboardShortcut keys={['Ctrl', 'K']} className="max-md:hidden" />
      </button>
      <CommandPalette isOpen={isOpen} onClose={() => setIsOpen(false)} {...offers} />
    </>
  )
}

const openDialog = ':is([data-kind=dialog], [data-kind=alert])[data-open]'
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
    // An open dialog is answered first: what a shortcut opens would lie over it.
    if (!document.querySelector(openDialog)) run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Ctrl K or Cmd K. */
function isPaletteKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey
}

/** `/` where no list takes it for its own search, unless something is being typed. */
function isSearchKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, isTyping: boolean): boolean {
  if (key !== '/' || isTyping || ctrlKey || metaKey || altKey) return false
  return document.querySelector('[aria-keyshortcuts="/"]') === null
}

/** `?`, unless something is being typed. */
export function isHelpKey({ key, ctrlKey, metaKey }: KeyboardEvent, isTyping: boolean): boolean {
  return key === '?' && !isTyping && !ctrlKey && !metaKey
}
