'use client'

import { CreditCard } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { Card, CardAccount } from '#lib/contract/records.ts'

const IssueCardDialog = lazyDialog(() => import('./issue-card-dialog.tsx').then((file) => file.IssueCardDialog))

/** The dialog that issues a card, what opens it, and why it cannot be opened. `replaced` is the card that it is issued for. */
export function useIssueCard(
  account: CardAccount,
  replaced: Card | null = null,
): { open: () => void; unavailable: string | undefined; dialog: ReactNode } {
  const { role, may } = usePermissions()
  const { open, opened } = useOpened()
  return {
    open: () => open({}),
    unavailable: role !== undefined && !may.has('cards.issue') ? onlyRoles('cards.issue') : undefined,
    dialog: opened && <IssueCardDialog key={opened.operationId} account={account} replaced={replaced} {...opened} />,
  }
}

export function IssueCardButton({ issuing }: { issuing: ReturnType<typeof useIssueCard> }) {
  return (
    <Button icon={<CreditCard aria-hidden="true" />} unavailable={issuing.unavailable} onClick={issuing.open}>
      Issue card
    </Button>
  )
}
