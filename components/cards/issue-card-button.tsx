'use client'

import { CreditCard, RefreshCw, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { usePaletteCommands } from '#components/layout/commands.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { Card, CardAccount } from '#lib/contract/records.ts'
import type { OfferedDeed } from './card-action-table.ts'

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

/**
 * What replaces a card, also a lost or stolen one, which is cancelled first, and the dialog to render beside it. `replaced`:
 * why there is nothing to replace any more. `uncancellable`: why the card cannot be cancelled.
 */
export function useReplaceCard(
  account: CardAccount,
  card: Card,
  { replaced, uncancellable }: { replaced: string | undefined; uncancellable: string | undefined },
): { actions: OfferedDeed[]; dialog: ReactNode } {
  const { denied } = usePermissions()
  const { open, opened } = useOpened<{ isLost: boolean }>()
  const unavailable = replaced ?? denied('cards.issue')
  return {
    actions: [
      {
        action: 'lost',
        label: 'Lost or stolen',
        icon: ShieldAlert,
        tone: 'bad',
        unavailable: unavailable ?? uncancellable,
        open: () => open({ isLost: true }),
      },
      {
        action: 'replace',
        label: 'Replace card',
        icon: RefreshCw,
        tone: 'neutral',
        unavailable,
        open: () => open({ isLost: false }),
      },
    ],
    dialog: opened && <IssueCardDialog key={opened.operationId} account={account} replaced={card} {...opened} />,
  }
}

/** `reason`: whether the reason why it is unavailable is written beside it, or by the button that follows it. */
export function IssueCardButton({
  issuing,
  reason,
}: {
  issuing: ReturnType<typeof useIssueCard>
  reason: 'beside' | 'described'
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
