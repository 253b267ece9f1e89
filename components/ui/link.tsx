import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link to a page of the console. The page is not fetched before the link is pressed: every page is made from what is
 * current at that moment, and a screen has links to many pages of which few are opened.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
