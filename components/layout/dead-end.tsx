import type { ReactNode } from 'react'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { MessagePage } from './message-page.tsx'

type Props = { isInShell?: boolean }

/** In the place of a page that the person's role does not include. */
export function Forbidden({ isInShell }: Props) {
  return (
    <DeadEnd mark="403" title="Your role does not include this page" isInShell={isInShell}>
      Nothing was changed. An admin can give you a role that includes it; it counts from your next click on.
    </DeadEnd>
  )
}

/** In the place of a page that is not there; `children` say what may be wrong with the address. */
export function NotFound({ isInShell, children }: Props & { children: ReactNode }) {
  return (
    <DeadEnd mark="404" title="Page not found" isInShell={isInShell}>
      {children}
    </DeadEnd>
  )
}

function DeadEnd({ children, ...page }: Props & { mark: string; title: string; children: ReactNode }) {
  return (
    <MessagePage
      {...page}
      actions={
        <ButtonLink href="/" prefetch={false} variant="primary">
          Go to overview
        </ButtonLink>
      }
    >
      <p>{children}</p>
    </MessagePage>
  )
}
