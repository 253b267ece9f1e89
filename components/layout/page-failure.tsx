'use client'

import { usePathname } from 'next/navigation'
import { buttonStyle } from '#components/ui/button-style.ts'
import { MessageLink, MessagePage, overviewHref } from './message-page.tsx'

function readDigest(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'digest' in error && typeof error.digest === 'string'
    ? error.digest
    : null
}

/** The page of an unexpected error: it never shows the error's own message. */
export function PageFailure({
  error,
  retry,
  isInShell = false,
}: {
  error: unknown
  retry: () => void
  isInShell?: boolean
}) {
  const digest = readDigest(error)
  return (
    <MessagePage
      isInShell={isInShell}
      title="This page could not be shown"
      actions={
        <>
          <button type="button" onClick={retry} className={buttonStyle({ variant: 'primary' })}>
            Try again
          </button>
          <MessageLink href={overviewHref(usePathname())} isSecondary>
            Go to Home
          </MessageLink>
        </>
      }
    >
      <p>Carddesk couldn’t show this page. Nothing was changed. You can safely try again.</p>
      {digest !== null && (
        <p className="text-xs text-faint">
          If it happens again, give an admin this reference: <code className="font-mono select-all">{digest}</code>
        </p>
      )}
    </MessagePage>
  )
}
