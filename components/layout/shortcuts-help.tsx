'use client'

import { Dialog } from '#components/ui/dialog.tsx'
import { KeyboardShortcut } from '#components/ui/keyboard-shortcut.tsx'

const shortcuts: { keys: string[]; what: string }[] = [
  { keys: ['Ctrl', 'K'], what: 'Find anything, do anything: a name, or “lock 4821” (Cmd K on a Mac)' },
  { keys: ['/'], what: 'Search in the list' },
  { keys: ['j'], what: 'Next row' },
  { keys: ['k'], what: 'Previous row' },
  { keys: ['Enter'], what: 'Open the row' },
  { keys: ['Esc'], what: 'Close what is open' },
  { keys: ['?'], what: 'This help' },
]

export function ShortcutsHelp({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="small">
      <dl className="divide-y">
        {shortcuts.map(({ keys, what }) => (
          <div key={what} className="flex items-center justify-between gap-4 py-2">
            <dt className="text-soft">{what}</dt>
            <dd className="shrink-0">
              <KeyboardShortcut keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
