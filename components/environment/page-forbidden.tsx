'use client'

import { usePathname } from 'next/navigation'
import { MessageLink, MessagePage, overviewHref } from '#components/layout/message-page.tsx'
import { onlyRoles } from '#lib/auth/permissions.ts'
import { environmentOfPath } from '#lib/shared/routes.ts'
import { findPagePermission } from './navigation.tsx'
import { usePermissions } from './use-permissions.ts'

/**
 * Shown for a page that the person's role has no permission for, or for a list's filter by data that it does not show, within the frame,
 * which has loaded the navigation.
 */
export function PageForbidden() {
  const pathname = usePathname()
  const { may } = usePermissions()
  if (may.has(findPagePermission(pathname))) {
    return (
      <MessagePage
        isInShell
        mark="403"
        title="You can’t filter by this"
        actions={<MessageLink href={pathname}>Open the list without the filter</MessageLink>}
      >
        <p>The link’s filter names data that your role doesn’t show. An admin can change your role.</p>
      </MessagePage>
    )
  }
  return (
    <MessagePage
      isInShell
      mark="403"
      title="You can’t open this page"
      actions={<MessageLink href={overviewHref(pathname)}>Go to Home</MessageLink>}
    >
      <p>
        {onlyRoles(findPagePermission(pathname), environmentOfPath(pathname) ?? 'sandbox')} An admin can change your
        role.
      </p>
    </MessagePage>
  )
}
