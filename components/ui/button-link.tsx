import type { ComponentProps, ReactNode } from 'react'
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts'
import { Button } from './button.tsx'
import { Link } from './link.tsx'

/** A link that looks like a button. It navigates; it never performs an action. Where it is `unavailable`, it is a button that says why. */
export function ButtonLink({
  variant = 'secondary',
  size = 'base',
  icon,
  unavailable,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  unavailable?: string | undefined
}) {
  if (unavailable !== undefined) {
    return (
      <Button size={size} icon={icon} unavailable={unavailable}>
        {children}
      </Button>
    )
  }
  return (
    <Link {...rest} className={buttonStyle({ variant, size, className })}>
      {icon}
      {children}
    </Link>
  )
}
