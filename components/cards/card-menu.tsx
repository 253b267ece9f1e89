'use client'

import { ArrowRight, Ellipsis } from 'lucide-react'
import { Menu } from '#components/ui/menu.tsx'
import { routes } from '#lib/shared/routes.ts'
import type { CardOfAccount } from './card-action-dialog.tsx'
import { cardTitle } from './card-face.tsx'
import { useCardActions } from './use-card-actions.tsx'

/** The same actions as on the card's own page, from a list. */
export function CardMenu(target: CardOfAccount) {
  const { actions, dialog } = useCardActions(target)
  const { card, cardAccountId, environment } = target
  return (
    <>
      <Menu
        label={`Actions on ${cardTitle(card).replace('Card', 'card')}`}
        trigger={<Ellipsis />}
        variant="quiet"
        isSquare
        className="w-72"
        items={[
          {
            kind: 'link',
            label: 'Open card',
            href: routes.card(environment, cardAccountId, card.id),
            icon: <ArrowRight />,
          },
          { kind: 'separator' },
          ...actions.map(({ row, unavailable, open }) => ({
            kind: 'action' as const,
            label: row.label,
            icon: <row.icon />,
            unavailable,
            onSelect: open,
            ...(row.tone === 'bad' ? { tone: 'bad' as const } : {}),
          })),
        ]}
      />
      {dialog}
    </>
  )
}
