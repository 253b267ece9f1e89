'use client'

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog } from '@base-ui/react/dialog'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { buttonStyle } from './button-style.ts'
import { Button } from './button.tsx'
import { pageHeading } from './page-heading.ts'
import { holdsTypedWork } from './typed-work.ts'

export type DialogPopupProps = {
  isOpen: boolean
  onClose: () => void
  /** `alert` needs a response: a press outside does not close it. */
  kind?: 'dialog' | 'alert' | 'drawer-start' | 'drawer-end' | 'palette'
  title: ReactNode
  isTitleHidden?: boolean
  description?: ReactNode
  size?: 'small' | 'base' | 'large'
  /** Keeps the dialog open while an action is running. */
  isLocked?: boolean
  initialFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null)
  /** Where the focus goes when it is closed and what opened it is gone; null: back to what opened it. */
  finalFocus?: (() => HTMLElement | null) | undefined
  footer?: ReactNode
  children?: ReactNode
}

const veil = 'fixed inset-0 z-50 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

const surface = 'z-50 flex flex-col bg-raised text-ink shadow-raised outline-none transition-[opacity,translate,scale]'

const centred =
  'fixed inset-x-4 top-1/2 mx-auto max-h-[calc(100dvh-2rem)] -translate-y-1/2 rounded-panel data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0'

const kinds: Record<NonNullable<DialogPopupProps['kind']>, string> = {
  dialog: centred,
  alert: centred,
  palette:
    'fixed inset-x-4 top-[max(1rem,12dvh)] mx-auto max-h-[min(34rem,76dvh)] max-w-xl overflow-hidden rounded-panel data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0',
  'drawer-start':
    'fixed inset-y-0 left-0 w-[min(18rem,85vw)] data-ending-style:-translate-x-full data-starting-style:-translate-x-full',
  'drawer-end':
    'fixed inset-y-0 right-0 w-[min(32rem,100vw)] data-ending-style:translate-x-full data-starting-style:translate-x-full',
}

const sizes = { small: 'max-w-sm', base: 'max-w-[27.5rem]', large: 'max-w-2xl' }

/** The window of a Dialog. It asks before it closes over typed work. */
export function DialogPopup({
  isOpen,
  onClose,
  kind = 'dialog',
  title,
  isTitleHidden = false,
  description,
  size = 'base',
  isLocked = false,
  initialFocus,
  finalFocus,
  footer,
  children,
}: DialogPopupProps) {
  const Part = kind === 'alert' ? AlertDialog : Dialog
  const isBare = kind === 'palette' || kind === 'drawer-start'
  const [wasOpen, setWasOpen] = useState(false)
  const [opener, setOpener] = useState<Element | null>(null)
  const popup = useRef<HTMLDivElement>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [asksAtAll, setAsksAtAll] = useState(false)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    setIsAsking(false)
    // A dialog that is opened by the URL is rendered on the server, too.
    if (isOpen && typeof document !== 'undefined') setOpener(document.activeElement)
  }
  return (
    <Part.Root
      open={isOpen}
      onOpenChange={(next, details) => {
        if (next) return
        // A key or press of a window above this one, such as the question whether to leave the page, is that one's alone.
        if (isLocked || !isTopmost(popup.current)) return details.cancel()
        if (!holdsTypedWork(popup.current)) return onClose()
        details.cancel()
        setAsksAtAll(true)
        setIsAsking(true)
      }}
    >
      <Part.Portal>
        <Part.Backdrop className={veil} />
        <Part.Popup
          ref={popup}
          data-kind={kind}
          // Until its animation ends a closed dialog still has the focus, and a press would do once more what it asked about.
          onClickCapture={isOpen ? undefined : swallow}
          className={clsx(surface, kinds[kind], (kind === 'dialog' || kind === 'alert') && sizes[size])}
          initialFocus={initialFocus}
          finalFocus={() => finalFocus?.() ?? (canTakeFocus(opener) ? true : pageHeading())}
        >
          <div className={clsx('flex items-start gap-3', isTitleHidden ? 'sr-only' : 'px-5 pt-5')}>
            <div className="min-w-0 flex-1">
              <Part.Title className="text-md font-semibold">{title}</Part.Title>
              {description !== undefined && (
                <Part.Description render={<div />} className="mt-1 text-soft">
                  {description}
                </Part.Description>
              )}
            </div>
            {kind !== 'alert' && !isTitleHidden && (
              <Part.Close
                aria-label="Close"
                className={buttonStyle({ variant: 'quiet', isSquare: true, className: '-mt-1.5 -mr-2' })}
              >
                <X />
              </Part.Close>
            )}
          </div>
          {kind === 'drawer-start' && (
            <Part.Close
              aria-label="Close"
              className={buttonStyle({ variant: 'quiet', isSquare: true, className: 'absolute top-3.5 right-2' })}
            >
              <X />
            </Part.Close>
          )}
          <div className={clsx('min-h-0 flex-1 overflow-y-auto', !isBare && 'px-5 py-4')}>{children}</div>
          {footer !== undefined && (
            <div className="flex flex-wrap items-center justify-end gap-2 px-5 pb-5">{footer}</div>
          )}
          {asksAtAll && (
            <DiscardQuestion
              isOpen={isAsking}
              onKeep={() => setIsAsking(false)}
              onDiscard={() => {
                setIsAsking(false)
                onClose()
              }}
            />
          )}
        </Part.Popup>
      </Part.Portal>
    </Part.Root>
  )
}

/** Asked where Escape, a press outside or the cross would throw typed work away. The buttons of a form close it unasked. */
function DiscardQuestion({
  isOpen,
  onKeep,
  onDiscard,
}: {
  isOpen: boolean
  onKeep: () => void
  onDiscard: () => void
}) {
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <DialogPopup
      kind="alert"
      size="small"
      isOpen={isOpen}
      onClose={onKeep}
      title="Discard what you typed?"
      description="Nothing has been sent."
      initialFocus={keep}
      footer={
        <>
          <Button ref={keep} size="large" onClick={onKeep}>
            Keep editing
          </Button>
          <Button size="large" variant="danger" onClick={onDiscard}>
            Discard
          </Button>
        </>
      }
    />
  )
}

/** A key that presses a button or sends a form is a click, too. */
function swallow(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

function isTopmost(popup: HTMLElement | null): boolean {
  return popup === null || [...document.querySelectorAll('[data-kind][data-open]')].at(-1) === popup
}

/** False where what opened the window is gone: a row that is done, the command palette. */
function canTakeFocus(opener: Element | null): boolean {
  return opener !== null && opener !== document.body && opener.isConnected
}
