'use client'

import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts'
import { usePopover } from './use-popover.ts'

export const popoverSurface =
  'fixed inset-auto m-0 max-h-[min(28rem,80vh)] overflow-y-auto rounded-panel bg-raised text-ink shadow-raised'

function focusFirst(surface: HTMLElement): void {
  surface.querySelector<HTMLElement>('[data-autofocus], input, button, a[href], select, textarea')?.focus()
}

/** A button that opens a small surface with any content. `children` may be a function of `close`. */
export function Popover({
  label,
  trigger,
  variant = 'secondary',
  size = 'base',
  className,
  triggerClassName,
  children,
}: {
  label: string
  trigger: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  className?: string
  triggerClassName?: string
  children: ReactNode | ((close: () => void) => ReactNode)
}) {
  const { isOpen, triggerRef, popoverRef, close, triggerProps, popoverProps } = usePopover<HTMLDialogElement>(
    'start',
    focusFirst,
  )
  return (
    <>
      <button
        ref={triggerRef}
        type="button"
        aria-haspopup="dialog"
        className={buttonStyle({ variant, size, className: triggerClassName })}
        {...triggerProps}
      >
        {trigger}
      </button>
      <dialog ref={popoverRef} aria-label={label} className={clsx(popoverSurface, 'p-3', className)} {...popoverProps}>
        {isOpen && (typeof children === 'function' ? children(close) : children)}
      </dialog>
    </>
  )
}
