import { clsx } from 'clsx'
import Link from 'next/link'
import type { ComponentProps } from 'react'

/** The look of a link within a text or a list of facts. */
export const quietLink = 'rounded-chip underline decoration-line underline-offset-2 hover:decoration-current'

/** A link within a text or a list of facts. Its page is not fetched before it is pressed. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link prefetch={false} {...rest} className={clsx(quietLink, className)} />
}
