'use client'

import { useParams } from 'next/navigation'
import { MessagePage } from '#components/layout/message-page.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { type Environment, isEnvironment, routes } from '#lib/shared/routes.ts'

/** A route parameter comes percent-encoded in the browser; null where it is no path segment. */
function accountHref(environment: Environment, parameter: string): string | null {
  try {
    return routes.cardAccount(environment, decodeURIComponent(parameter))
  } catch {
    return null
  }
}

/** The page of a transaction that there is not, and the way to those that there are. */
export function TransactionMissing() {
  const { environment, cardAccountId } = useParams<{ environment: string; cardAccountId: string }>()
  const account = isEnvironment(environment) ? accountHref(environment, cardAccountId) : null
  return (
    <MessagePage
      isInShell
      mark="404"
      title="There is no such transaction here"
      actions={
        <>
          {account && (
            <ButtonLink href={account} prefetch={false} variant="primary">
              To the card account
            </ButtonLink>
          )}
          <ButtonLink href="/" prefetch={false}>
            Go to overview
          </ButtonLink>
        </>
      }
    >
      <p>
        The service knows no transaction with this id on this card account, in this environment. The id may be mistyped,
        or belong to another account or to the other environment.
      </p>
      <p>The field “Find” of an account’s transactions takes an id or an external id.</p>
    </MessagePage>
  )
}
