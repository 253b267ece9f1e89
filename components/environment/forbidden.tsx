'use client'

import { usePathname } from 'next/navigation'
import { MessageLink, MessagePage, overviewHref } from '#components/layout/message-page.tsx'
import { onlyRoles, type Permission } from '#lib/auth/permissions.ts'
import { environmentOfPath } from '#lib/shared/routes.ts'

/** Shown for a page that the person's role has no permission for. */
export function Forbidden({ permission, isInShell = false }: { permission: Permission; isInShell?: boolean }) {
  const pathname = usePathname()
  return (
    <MessagePage
      isInShell={isInShell}
      mark="403"
      title="You can’t open this page"
      actions={<MessageLink href={overviewHref(pathname)}>Go to Home</MessageLink>}
    >
      <p>{onlyRoles(permission, environmentOfPath(pathname) ?? 'sandbox')} An admin can change your role.</p>
    </MessagePage>
  )
}
