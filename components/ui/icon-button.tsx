import type { ComponentProps, ReactNode } from 'react'
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts'
import { Spinner } from './spinner.tsx'

/** A button that shows only an icon; `label` is its name for everybody else, and its title. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'base',
  isPending = false,
  isUnavailable = false,
  className,
  onClick,
  ...rest
}: Omit<ComponentProps<'button'>, 'children' | 'disabled'> & {
  label: string
  icon: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  isPending?: boolean
  isUnavailable?: boolean
}) {
  const isInert = isPending || isUnavailable
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={buttonStyle({ variant, size, isUnavailable, isSquare: true, className })}
      {...(isInert ? { 'aria-disabled': true } : onClick ? { onClick } : {})}
    >
      {isPending ? <Spinner /> : icon}
    </button>
  )
}
