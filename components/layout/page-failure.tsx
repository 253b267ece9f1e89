'use client'

import { RefreshCw } from 'lucide-react'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { MessagePage } from './message-page.tsx'

function digestOf(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'digest' in error && typeof error.digest === 'string'
    ? error.digest
    : null
}

/** The page of an unexpected error: it never shows the error's own message. */
export function PageFailure({
  error,
  retry,
  homeHref = '/',
  isInShell = false,
}: {
  error: unknown
  retry: () => void
  homeHref?: string
  isInShell?: boolean
}) {
  const digest = digestOf(error)
  return (
    <MessagePage
      isInShell={isInShell}
      title="This page could not be shown"
      actions={
        <>
          <Button variant="primary" icon={<RefreshCw />} onClick={retry}>
            Try again
          </Button>
          <ButtonLink href={homeHref} prefetch={false}>
            Go to overview
          </ButtonLink>
        </>
      }
    >
      <p>Carddesk couldn’t show this page. Nothing was changed. You can safely try again.</p>
      {digest !== null && (
        <p className="flex flex-wrap items-center gap-1 text-xs text-faint">
          If it happens again, give an admin this reference: <IdText id={digest} label="reference" isWhole />
        </p>
      )}
    </MessagePage>
  )
}
