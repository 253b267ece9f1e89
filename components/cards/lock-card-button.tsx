'use client'

import { ChevronDown, Lock } from 'lucide-react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { Menu } from '#components/ui/menu.tsx'
import type { CardAccountDetail } from '#lib/console/card-accounts/types.ts'
import type { Card } from '#lib/contract/records.ts'
import { unavailability } from './card-action-table.ts'
import { cardTitle } from './card-face.tsx'

const CardActionDialog = lazyDialog(() => import('./card-action-dialog.tsx').then((file) => file.CardActionDialog))

/** Locks an active card from its account's page: the only one, or one of a menu. Nothing where no card is active. */
export function LockCardButton({ detail: { account, cards } }: { detail: CardAccountDetail }) {
  const person = usePermissions()
  const { open, opened } = useOpened<{ card: Card }>()
  const active = cards.filter(({ status }) => status === 'active')
  const unavailable = unavailability('lock', 'active', person)
  const icon = <Lock aria-hidden="true" />
  const [first] = active
  if (!first && !opened) return null
  return (
    <>
      {active.length === 1 && first && (
        <Button icon={icon} unavailable={unavailable} onClick={() => open({ card: first })}>
          Lock card
        </Button>
      )}
      {active.length > 1 && (
        <Menu
          label="Lock a card"
          trigger={
            <>
              {icon}
              Lock card
              <ChevronDown aria-hidden="true" />
            </>
          }
          items={active.map((card) => ({
            kind: 'action' as const,
            label: [cardTitle(card), card.embossedName].filter(Boolean).join(' · '),
            unavailable,
            onSelect: () => open({ card }),
          }))}
        />
      )}
      {opened && (
        <CardActionDialog
          key={opened.operationId}
          action="lock"
          cardAccountId={account.id}
          accountName={accountTitle(account)}
          currency={account.currency}
          {...opened}
        />
      )}
    </>
  )
}
