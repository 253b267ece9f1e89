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

/** A button: one element, so that the focus stays on it while it is busy and when it becomes unavailable. */
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
  const isUnavailable = unavailable !== undefined
  const isInert = isPending || isUnavailable
  const isBeside = isUnavailable && reason === 'beside'
  return (
    <span className={isBeside ? 'inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1' : 'contents'}>
      <button
        {...rest}
        type={isInert ? 'button' : type}
        className={buttonStyle({ variant, size, isUnavailable, className })}
        onClick={isInert ? undefined : onClick}
        aria-disabled={isInert || undefined}
        aria-busy={isPending || undefined}
        aria-describedby={isUnavailable ? reasonId : rest['aria-describedby']}
      >
        {isPending ? <Spinner /> : icon}
        {children}
      </button>
      {isUnavailable && (
        <span id={reasonId} className={isBeside ? 'text-xs text-faint' : 'sr-only'}>
          {unavailable}
        </span>
      )}
    </span>
  )
}
