'use client'

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { type ButtonVariant, buttonStyle } from './button-style.ts'
import { Link } from './link.tsx'
import { popoverSurface } from './popover.tsx'
import { type PopoverAlign, usePopover } from './use-popover.ts'

export type MenuItem =
  | { kind: 'heading'; label: string }
  | { kind: 'separator' }
  | { kind: 'link'; label: string; href: string; icon?: ReactNode; hint?: ReactNode }
  | {
      kind: 'action'
      label: string
      onSelect: () => void
      icon?: ReactNode
      hint?: ReactNode
      tone?: 'bad'
      /** Why the item is disabled; it stays visible with this reason. */
      unavailable?: string | undefined
    }
  /** One of several: choosing closes the menu. */
  | { kind: 'choice'; label: string; isChosen: boolean; onSelect: () => void; icon?: ReactNode; hint?: ReactNode }
  /** On or off: the menu stays open. */
  | { kind: 'check'; label: string; isChosen: boolean; onSelect: () => void }

const itemStyle =
  'flex min-h-8 w-full items-center gap-2.5 rounded-control px-2.5 py-1 text-left outline-none hover:bg-hover focus:bg-hover [&_svg]:size-4 [&_svg]:shrink-0'

/** A button that opens a menu. Arrow keys, Home, End and first letters move; Escape and Tab close it. */
export function Menu({
  label,
  trigger,
  items,
  variant = 'secondary',
  isSquare = false,
  align = 'end',
  triggerClassName,
  className,
}: {
  label: string
  trigger: ReactNode
  items: readonly MenuItem[]
  variant?: ButtonVariant
  isSquare?: boolean
  align?: PopoverAlign
  triggerClassName?: string
  className?: string
}) {
  const { isOpen, triggerRef, popoverRef, open, close, triggerProps, popoverProps } = usePopover<HTMLDivElement>(
    align,
    focusFirst,
  )
  const typed = useRef({ text: '', at: 0 })

  function onKeyDown(event: KeyboardEvent) {
    const entries = itemsIn(popoverRef.current)
    const at = entries.findIndex((item) => item === document.activeElement)
    const to = (index: number) => {
      event.preventDefault()
      entries.at(index % entries.length)?.focus()
    }
    if (event.key === 'ArrowDown') to(at + 1)
    else if (event.key === 'ArrowUp') to(at <= 0 ? -1 : at - 1)
    else if (event.key === 'Home') to(0)
    else if (event.key === 'End') to(-1)
    else if (event.key === 'Tab') close()
    else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) {
      const text = event.timeStamp - typed.current.at > 600 ? event.key : typed.current.text + event.key
      typed.current = { text, at: event.timeStamp }
      entries.find((item) => item.textContent?.trim().toLowerCase().startsWith(text.toLowerCase()))?.focus()
    }
  }

  return (
    <>
      <button
        ref={triggerRef}
        type="button"
        aria-haspopup="menu"
        {...(isSquare ? { 'aria-label': label, title: label } : {})}
        className={buttonStyle({ variant, isSquare, className: triggerClassName })}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open()
        }}
        {...triggerProps}
      >
        {trigger}
      </button>
      <div
        ref={popoverRef}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={clsx(popoverSurface, 'min-w-44 p-1.5', className)}
        onKeyDown={onKeyDown}
        {...popoverProps}
      >
        {isOpen && items.map((item, index) => <Item key={itemKey(items, index)} item={item} close={close} />)}
      </div>
    </>
  )
}

/** An item keeps its focus while others come and go before it; two may have the same label. */
function itemKey(items: readonly MenuItem[], index: number): string {
  const names = items.slice(0, index + 1).map((item) => (item.kind === 'separator' ? 'separator' : item.label))
  const name = names.at(-1)
  return `${name} ${names.filter((one) => one === name).length}`
}

/** The chosen one of several, otherwise the first. */
function focusFirst(menu: HTMLElement): void {
  const entries = itemsIn(menu)
  const chosen = entries.find((item) => item.role === 'menuitemradio' && item.ariaChecked === 'true')
  ;(chosen ?? entries[0])?.focus()
}

function itemsIn(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  if (item.kind === 'separator') return <hr className="my-1.5 border-line" />
  if (item.kind === 'heading') {
    return (
      <div role="presentation" className="px-2.5 pt-1.5 pb-1 text-2xs text-faint">
        {item.label}
      </div>
    )
  }
  if (item.kind === 'link') {
    return (
      <Link href={item.href} role="menuitem" tabIndex={-1} className={itemStyle} onClick={close}>
        {item.icon}
        <span className="flex-1">{item.label}</span>
        {item.hint && <span className="text-xs text-faint">{item.hint}</span>}
      </Link>
    )
  }
  if (item.kind === 'action') {
    const isUnavailable = item.unavailable !== undefined
    return (
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        aria-disabled={isUnavailable || undefined}
        className={clsx(itemStyle, isUnavailable ? 'text-faint' : item.tone === 'bad' && 'text-bad')}
        onClick={() => {
          if (isUnavailable) return
          close()
          item.onSelect()
        }}
      >
        {item.icon}
        <span className="min-w-0 flex-1">
          {item.label}
          {item.unavailable && <span className="block max-w-64 text-xs text-faint">{item.unavailable}</span>}
        </span>
        {item.hint && <span className="text-xs text-faint">{item.hint}</span>}
      </button>
    )
  }
  return (
    <button
      type="button"
      role={item.kind === 'choice' ? 'menuitemradio' : 'menuitemcheckbox'}
      aria-checked={item.isChosen}
      tabIndex={-1}
      className={itemStyle}
      onClick={() => {
        if (item.kind === 'choice') close()
        item.onSelect()
      }}
    >
      <Check aria-hidden="true" className={item.isChosen ? 'text-accent' : 'invisible'} />
      {item.kind === 'choice' && item.icon}
      <span className="flex-1">{item.label}</span>
      {item.kind === 'choice' && item.hint && <span className="text-xs text-faint">{item.hint}</span>}
    </button>
  )
}
