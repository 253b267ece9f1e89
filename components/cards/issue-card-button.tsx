'use client'

import { CreditCard } from 'lucide-react'
import type { ReactNode } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { usePaletteCommands } from '#components/layout/commands.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { onlyRoles } from '#lib/auth/permissions.ts'
import type { Card, CardAccount } from '#lib/contract/records.ts'

const IssueCardDialog = lazyDialog(() => import('./issue-card-dialog.tsx').then((file) => file.IssueCardDialog))

/** The dialog that issues a card, what opens it, also from the palette, and why it cannot be opened. */
export function useIssueCard(account: CardAccount): {
  open: () => void
  unavailable: string | undefined
  dialog: ReactNode
} {
  const { role, may } = usePermissions()
  const { open, opened } = useOpened()
  const unavailable = role !== undefined && !may.has('cards.issue') ? onlyRoles('cards.issue') : undefined
  const isOffered = unavailable === undefined
  const command = { id: 'issue-card', label: 'Issue card', group: accountTitle(account), icon: <CreditCard /> }
  usePaletteCommands(`issue ${account.id} ${isOffered}`, isOffered ? [{ ...command, onSelect: () => open({}) }] : [])
  return {
    open: () => open({}),
    unavailable,
    dialog: opened && <IssueCardDialog key={opened.operationId} account={account} {...opened} />,
  }
}

/** Opens the dialog that replaces a card, also a lost or stolen one. `replaced`: why there is nothing to replace any more. */
export function useReplaceCard(account: CardAccount, card: Card, replaced: string | undefined) {
  const { role, may } = usePermissions()
  const { open, opened } = useOpened<{ isLost: boolean }>()
  const allowed = role === undefined || may.has('cards.issue') ? undefined : onlyRoles('cards.issue')
  return {
    openLost: () => open({ isLost: true }),
    openReplace: () => open({ isLost: false }),
    unavailable: replaced ?? allowed,
    dialog: opened && <IssueCardDialog key={opened.operationId} account={account} replaced={card} {...opened} />,
  }
}

/** `reason`: whether the reason why it is unavailable is written beside it, or by the button that follows it. */
export function IssueCardButton({
  issuing,
  reason = 'beside',
}: {
  issuing: ReturnType<typeof useIssueCard>
  reason?: 'beside' | 'described'
}) {
  return (
    <Button
      icon={<CreditCard aria-hidden="true" />}
      unavailable={issuing.unavailable}
      reason={reason}
      onClick={issuing.open}
    >
      Issue card
    </Button>
  )
}
