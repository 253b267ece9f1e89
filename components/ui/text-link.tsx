import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Link } from './link.tsx'

/** The look of a link within a text or a list of facts. */
export const quietLink = 'rounded-chip underline decoration-line underline-offset-2 hover:decoration-current'

type TextLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & { href: string | null }

/** A link within a text or a list of facts; only its text where there is no page. */
export function TextLink({ className, href, ...rest }: TextLinkProps) {
  if (href === null) return <span className={className}>{rest.children}</span>
  return <Link href={href} {...rest} className={clsx(quietLink, className)} />
}
