import { clsx } from 'clsx'
import Link from 'next/link'
import type { ComponentProps } from 'react'

/** The look of a link within a text or a list of facts. */
export const quietLink = 'rounded-chip underline decoration-line underline-offset-2 hover:decoration-current'

type TextLinkProps = Omit<ComponentProps<typeof Link>, 'href'> & { href: string | null }

/** A link within a text or a list of facts; only its text where there is no page. The page is not fetched before it is pressed. */
export function TextLink({ className, href, ...rest }: TextLinkProps) {
  if (href === null) return <span className={className}>{rest.children}</span>
  return <Link prefetch={false} href={href} {...rest} className={clsx(quietLink, className)} />
}
