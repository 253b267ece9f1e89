'use client'

import { LogIn } from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { buttonStyle } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { useTicking } from '#components/ui/time.tsx'
import { routes } from '#lib/shared/routes.ts'

/** Warns of the end of an idle session, two minutes before it. */
export function IdleWarning({ endsAt, onStay }: { endsAt: number; onStay: () => void }) {
  const remaining = useTicking((now) => countdown(endsAt - now))
  return (
    <SessionDialog
      title="Stay signed in?"
      description="You’ll be signed out because nothing happened for a while. What you typed stays on this page."
      onEscape={onStay}
      footer={
        <Button variant="primary" data-initial-focus onClick={onStay}>
          Stay signed in
        </Button>
      }
    >
      <p role="timer" className="text-2xl font-semibold tabular-nums">
        {remaining}
      </p>
    </SessionDialog>
  )
}

/** Covers the page after the session ended. A form with typed work stays behind it, hidden. */
export function SignInAgain({ onReturn, onDiscard }: { onReturn: () => void; onDiscard: () => void }) {
  return (
    <SessionDialog
      title="Sign in to continue"
      description="You were signed out. Your entries are still here. Sign in on a new tab, then come back."
      isOpaque
      footer={
        <>
          <Button variant="quiet" onClick={onDiscard}>
            Discard entries
          </Button>
          <Button onClick={onReturn}>Continue</Button>
          <a
            href={routes.signIn()}
            target="_blank"
            rel="opener"
            data-initial-focus
            className={buttonStyle({ variant: 'primary' })}
          >
            <LogIn />
            Sign in
          </a>
        </>
      }
    />
  )
}

/** Offers a reload to a person whose role changed: the page still has what the role before could see and do. */
export function RoleNotice() {
  return (
    <Callout
      tone="warn"
      isAlert
      title="Your role changed."
      className="sticky top-4 z-20 shadow-raised"
      actions={<Button onClick={() => location.reload()}>Reload page</Button>}
    >
      Reload to see what you can do now.
    </Callout>
  )
}

type SessionDialogProps = {
  title: string
  description: string
  /** Hides the page, which may show what only a signed-in person may see. */
  isOpaque?: boolean
  onEscape?: () => void
  footer: ReactNode
  children?: ReactNode
}

/**
 * The browser's own modal dialog, above every other: one of the page that holds typed text stays open behind it, so none of the
 * keys and presses here may reach the listeners that would close that one.
 */
function SessionDialog({ title, description, isOpaque = false, onEscape, footer, children }: SessionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const descriptionId = useId()
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    element.showModal()
    element.querySelector<HTMLElement>('[data-initial-focus]')?.focus()
    const keepInside = (event: Event) => event.stopPropagation()
    const kinds = ['keydown', 'pointerdown', 'mousedown', 'focusin', 'focusout']
    for (const kind of kinds) element.addEventListener(kind, keepInside)
    return () => {
      for (const kind of kinds) element.removeEventListener(kind, keepInside)
      element.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault()
    onEscape?.()
  }
  return createPortal(
    <dialog
      ref={dialog}
      role="alertdialog"
      data-open
      {...(isOpaque && { 'data-cover': '' })}
      aria-labelledby={titleId}
      aria-describedby={descriptionId}
      onCancel={onCancel}
      className={`m-auto w-[min(27.5rem,calc(100vw-2rem))] rounded-panel bg-raised p-5 text-ink shadow-raised ${isOpaque ? 'backdrop:bg-canvas' : 'backdrop:bg-veil'}`}
    >
      <h2 id={titleId} className="text-md font-semibold">
        {title}
      </h2>
      <p id={descriptionId} className="mt-1 text-soft">
        {description}
      </p>
      {children !== undefined && <div className="mt-3">{children}</div>}
      <div className="mt-4 flex flex-wrap justify-end gap-2">{footer}</div>
    </dialog>,
    document.body,
  )
}

function countdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
