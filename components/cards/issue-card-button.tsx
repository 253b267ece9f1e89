'use client'

import { CreditCard } from 'lucide-react'
import type { ReactNode } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { usePaletteCommands } from '#components/layout/commands.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { Card, CardAccount } from '#lib/contract/records.ts'

const IssueCardDialog = lazyDialog(() => import('./issue-card-dialog.tsx').then((file) => file.IssueCardDialog))

/** The dialog that issues a card, what opens it, also from the palette, and why it cannot be opened. */
export function useIssueCard(account: CardAccount): {
  open: () => void
  unavailable: string | undefined
  dialog: ReactNode
} {
  const { denied } = usePermissions()
  const { open, opened } = useOpened()
  const unavailable = denied('cards.issue')
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
  const { denied } = usePermissions()
  const { open, opened } = useOpened<{ isLost: boolean }>()
  return {
    openLost: () => open({ isLost: true }),
    openReplace: () => open({ isLost: false }),
    unavailable: replaced ?? denied('cards.issue'),
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
