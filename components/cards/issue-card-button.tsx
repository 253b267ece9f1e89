'use client'

import { CreditCard } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { preloadDialog } from '#components/ui/dialog.tsx'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { Card, CardAccount } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'

const loadDialog = () => import('./issue-card-dialog.tsx').then((file) => ({ default: file.IssueCardDialog }))
const IssueCardDialog = lazy(loadDialog)

/** The dialog that issues a card, what opens it, and why it cannot be opened. `replaced` is the card that it is issued for. */
export function useIssueCard(
  environment: Environment,
  account: CardAccount,
  replaced: Card | null = null,
): { open: () => void; unavailable: string | undefined; dialog: ReactNode } {
  const { role, may } = usePermissions(environment)
  const [opened, setOpened] = useState<{ key: string; isOpen: boolean } | null>(null)
  return {
    open: () => {
      preloadDialog()
      setOpened({ key: crypto.randomUUID(), isOpen: true })
    },
    unavailable: role !== undefined && !may.has('cards.issue') ? onlyRoles('cards.issue') : undefined,
    dialog: opened && (
      <Suspense fallback={null}>
        <IssueCardDialog
          key={opened.key}
          environment={environment}
          account={account}
          replaced={replaced}
          isOpen={opened.isOpen}
          onClose={() => setOpened({ ...opened, isOpen: false })}
        />
      </Suspense>
    ),
  }
}

export function IssueCardButton({ issuing }: { issuing: ReturnType<typeof useIssueCard> }) {
  return (
    <Button
      icon={<CreditCard aria-hidden="true" />}
      {...(issuing.unavailable === undefined ? {} : { unavailable: issuing.unavailable })}
      onClick={issuing.open}
    >
      Issue card
    </Button>
  )
}
