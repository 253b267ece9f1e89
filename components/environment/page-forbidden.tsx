'use client'

import { usePathname } from 'next/navigation'
import { MessageLink, MessagePage, overviewHref } from '#components/layout/message-page.tsx'
import { onlyRoles } from '#lib/auth/permissions.ts'
import { environmentOfPath } from '#lib/shared/routes.ts'
import { findPagePermission } from './navigation.tsx'

/** Shown for a page that the person's role has no permission for, within the frame, which has loaded the navigation. */
export function PageForbidden() {
  const pathname = usePathname()
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
