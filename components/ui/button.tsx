import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts'
import { Spinner } from './spinner.tsx'

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  /** Busy: shows a spinner and does nothing when pressed. It keeps the focus. */
  isPending?: boolean
  /** Why it cannot be used now. The button stays visible and focusable, and does nothing. */
  unavailable?: string | undefined
  /** Where the reason is: written beside the button, or only described (the caller writes it elsewhere). */
  reason?: 'beside' | 'described'
}

export function Button({
  variant = 'secondary',
  size = 'base',
  icon,
  isPending = false,
  unavailable,
  reason = 'beside',
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const isInert = isPending || unavailable !== undefined
  const button = (
    <button
      {...rest}
      type={isInert ? 'button' : type}
      className={buttonStyle({ variant, size, isUnavailable: unavailable !== undefined, className })}
      {...(isInert ? { 'aria-disabled': true } : onClick ? { onClick } : {})}
      {...(isPending ? { 'aria-busy': true } : {})}
      {...(unavailable === undefined ? {} : { 'aria-describedby': reasonId })}
    >
      {isPending ? <Spinner /> : icon}
      {children}
    </button>
  )
  if (unavailable === undefined) return button
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {button}
      <span id={reasonId} className={clsx(reason === 'beside' ? 'text-xs text-faint' : 'sr-only')}>
        {unavailable}
      </span>
    </span>
  )
}
