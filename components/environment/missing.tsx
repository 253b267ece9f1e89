'use client'

import { usePathname } from 'next/navigation'
import { MessageLink, MessagePage, overviewHref } from '#components/layout/message-page.tsx'
import { type Environment, environmentInSentence, environmentOfPath, routes } from '#lib/shared/routes.ts'

type Kind = { name: string; path: RegExp; list: { label: string; href: (environment: Environment) => string } }

const cardAccounts = { label: 'Go to card accounts', href: routes.cardAccounts }

/** Noun of a record's page, by its path below the environment; the first that matches. */
const kinds: readonly Kind[] = [
  { name: 'card', path: /^card-accounts\/[^/]+\/cards\/[^/]+$/, list: cardAccounts },
  { name: 'transaction', path: /^card-accounts\/[^/]+\/transactions\/[^/]+$/, list: cardAccounts },
  { name: 'card account', path: /^card-accounts\/[^/]+$/, list: cardAccounts },
  { name: 'identity', path: /^identity\/[^/]+$/, list: { label: 'Go to identities', href: routes.identity } },
  { name: 'payout', path: /^payouts\/[^/]+$/, list: { label: 'Go to payouts', href: routes.payouts } },
  { name: 'bulk job', path: /^bulk-jobs\/[^/]+$/, list: { label: 'Go to bulk jobs', href: routes.bulkJobs } },
]

/** The object that a path names and that does not exist; null where the path is not a page. */
export function missingKind(pathname: string): Kind | null {
  const [, , ...below] = pathname.split('/')
  return kinds.find(({ path }) => path.test(below.join('/'))) ?? null
}

/** Shown for a page that does not exist: names the object of the path, and links to its list. */
export function Missing() {
  const pathname = usePathname()
  const environment = environmentOfPath(pathname)
  const kind = missingKind(pathname)
  return (
    <MessagePage
      isInShell
      mark="404"
      title={kind ? `This ${kind.name} does not exist` : 'Page not found'}
      actions={
        <>
          {kind && environment && <MessageLink href={kind.list.href(environment)}>{kind.list.label}</MessageLink>}
          <MessageLink href={overviewHref(pathname)} isSecondary={kind !== null}>
            Go to Home
          </MessageLink>
        </>
      }
    >
      {kind ? (
        <p>
          There is no {kind.name} with this ID in {environmentInSentence[environment ?? 'sandbox']}. Check the ID and
          the environment.
        </p>
      ) : (
        <p>Check the address. Pages begin with /sandbox or /production.</p>
      )}
    </MessagePage>
  )
}
