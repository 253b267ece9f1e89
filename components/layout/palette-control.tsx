'use client'

import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { lazyDialog, preloadDialog } from '#components/ui/dialog.tsx'
import { KeyboardShortcut } from '#components/ui/keyboard-shortcut.tsx'
import type { PaletteOffers } from './command-palette.tsx'
import { isPaletteKey, useShortcut } from './use-shortcut.ts'

const loadPalette = () => import('./command-palette.tsx').then((file) => file.CommandPalette)
const CommandPalette = lazyDialog(loadPalette)

/**
 * The field of the top bar that opens the command palette, and the palette. Opening it re-renders no other part of the
 * shell.
 */
export function PaletteControl({ hint, ...offers }: PaletteOffers & { hint: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  useShortcut(isPaletteKey, open)
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
        <span className="min-w-0 flex-1 truncate text-left max-md:sr-only">{hint}</span>
        <KeyboardShortcut keys={['Ctrl', 'K']} className="max-md:hidden" />
      </button>
      <CommandPalette isOpen={isOpen} onClose={() => setIsOpen(false)} {...offers} />
    </>
  )
}
