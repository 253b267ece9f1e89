'use client'

import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { place } from './use-popover.ts'

const delayMs = 300

/**
 * A short text about its child, shown while the pointer or the focus is there; Escape hides it. It only repeats or
 * explains: what must be known is on the screen.
 */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  const trigger = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = (waitMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsShown(true), waitMs)
  }
  const hide = () => {
    clearTimeout(timer.current)
    setIsShown(false)
  }
  useEffect(() => {
    const target = trigger.current?.querySelector<HTMLElement>('button, a, input, [tabindex]')
    target?.setAttribute('aria-describedby', id)
  }, [id])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isShown || !bubble.current || !trigger.current) return
    bubble.current.showPopover()
    place(bubble.current, trigger.current, 'start')
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && setIsShown(false)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isShown])
  return (
    <span
      ref={trigger}
      className="inline-flex min-w-0"
      onPointerEnter={() => show(delayMs)}
      onPointerLeave={hide}
      onFocus={() => show(0)}
      onBlur={hide}
    >
      {children}
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        popover="manual"
        className={
          isShown
            ? 'fixed inset-auto m-0 max-w-64 rounded-control bg-ink px-2.5 py-1.5 text-left text-xs font-normal whitespace-normal text-canvas'
            : 'hidden'
        }
      >
        {text}
      </span>
    </span>
  )
}
