import Link from 'next/link'
import type { ComponentProps, ReactNode } from 'react'
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts'

/** A link that looks like a button. It navigates; it never performs an action. */
export function ButtonLink({
  variant = 'secondary',
  size = 'base',
  icon,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & { variant?: ButtonVariant; size?: ButtonSize; icon?: ReactNode }) {
  return (
    <Link {...rest} className={buttonStyle({ variant, size, className })}>
      {icon}
      {children}
    </Link>
  )
}
