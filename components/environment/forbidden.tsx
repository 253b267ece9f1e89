'use client'

import { usePathname } from 'next/navigation'
import { MessageLink, MessagePage, overviewHref } from '#components/layout/message-page.tsx'
import { onlyRoles, type Permission } from '#lib/auth/permissions.ts'
import { environmentOfPath } from '#lib/shared/routes.ts'

/** The permission of the pages that not every role may open, by their path below the environment. */
const pagePermissions: readonly (readonly [RegExp, Permission])[] = [
  [/^approvals(\/|$)/, 'approvals.read'],
  [/^audit$/, 'audit.read'],
  [/^requests$/, 'audit.read'],
  [/^card-accounts\/limits$/, 'limits.set'],
  [/^card-accounts\/new$/, 'accounts.open'],
  [/^lab(\/|$)/, 'sandbox.simulate'],
  [/^settings\/connection$/, 'connection.read'],
  [/^settings\/embedding$/, 'embeds.manage'],
  [/^settings\/policy$/, 'policy.read'],
  [/^settings\/staff$/, 'staff.manage'],
]

/** Permission that a page needs; every page needs at least the accounts. */
export function permissionOfPage(pathname: string): Permission {
  const [, , ...below] = pathname.split('/')
  return pagePermissions.find(([path]) => path.test(below.join('/')))?.[1] ?? 'accounts.read'
}

/** Shown for a page that the person's role has no permission for. */
export function Forbidden({ isInShell = false }: { isInShell?: boolean }) {
  const pathname = usePathname()
  return (
    <MessagePage
      isInShell={isInShell}
      mark="403"
      title="You can’t open this page"
      actions={<MessageLink href={overviewHref(pathname)}>Go to Home</MessageLink>}
    >
      <p>
        {onlyRoles(permissionOfPage(pathname), environmentOfPath(pathname) ?? 'sandbox')} An admin can change your role.
      </p>
    </MessagePage>
  )
}
