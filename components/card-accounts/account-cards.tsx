'use client'

import { ArrowRight, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { CancellationWaiting } from '#components/cards/cancellation-waiting.tsx'
import type { CardOfAccount } from '#components/cards/card-action-dialog.tsx'
import { CardFace, cardNoun, cardTitle, expiryText } from '#components/cards/card-face.tsx'
import { cardStatusEntry } from '#components/cards/card-status.ts'
import { useCardActions } from '#components/cards/use-card-actions.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { CodeBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { Link } from '#components/ui/link.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CardAccountDetail } from '#lib/console/card-accounts/types.ts'
import type { Card } from '#lib/contract/records.ts'
import { routes } from '#lib/shared/routes.ts'
import { accountTitle } from './account-labels.ts'

const firstCards = 8

export function AccountCards({
  detail: { account, cards, cardsExcluded, hasMoreCards, cardsProblem, waiting },
}: {
  detail: CardAccountDetail
}) {
  const environment = useEnvironment()
  const [isWhole, setIsWhole] = useState(false)
  // A card that is issued meanwhile pushes none out of the list: its dialog may be open.
  const [lastId] = useState(cards.length > firstCards ? cards[firstCards - 1]?.id : undefined)
  const shown = isWhole ? cards : cards.slice(0, Math.max(firstCards, cards.findIndex(({ id }) => id === lastId) + 1))
  const isWaiting = ({ id }: Card) => waiting.some(({ targetId }) => targetId === id)
  return (
    <Panel
      title="Cards"
      note={<span className="text-faint">{cards.length === 0 ? '' : `${cards.length}, newest first`}</span>}
      isFlush
    >
      {cardsProblem !== null && (
        <div className="p-4">
          <Callout tone="warn" title="Couldn’t read the cards">
            {cardsProblem}
          </Callout>
        </div>
      )}
      {cards.length === 0 ? (
        cardsProblem === null &&
        cardsExcluded === 0 &&
        !hasMoreCards && (
          <EmptyState title="No cards yet">Cards of this account appear here once they are issued.</EmptyState>
        )
      ) : (
        <ul className="@container divide-y">
          {shown.map((card) => (
            <li
              key={card.id}
              className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-hover @md:flex-nowrap"
            >
              <CardFace card={card} isSmall className="w-16 shrink-0" />
              <div className="min-w-0 flex-1">
                <Link
                  href={routes.card(environment, account.id, card.id)}
                  className="font-medium after:absolute after:inset-0 hover:underline hover:decoration-faint hover:underline-offset-2"
                >
                  {card.last4 && (
                    <span className="font-mono" aria-hidden="true">
                      •{card.last4}
                    </span>
                  )}
                  <span className={card.last4 ? 'sr-only' : undefined}>{cardTitle(card)}</span>{' '}
                  <span className="wrap-anywhere">{card.embossedName}</span>
                </Link>
                <div className="text-xs wrap-anywhere text-faint">
                  {[card.product?.name, card.product?.cardType, expiryNote(card)].filter(Boolean).join(' · ')}
                </div>
              </div>
              <div className="order-last flex basis-full flex-wrap justify-end gap-1 pl-19 @max-md:justify-start @md:order-none @md:basis-auto @md:pl-0">
                <CodeBadge code={card.status} toEntry={cardStatusEntry} />
                {isWaiting(card) && <CancellationWaiting />}
              </div>
              <div className="relative z-10">
                <CardMenu
                  card={card}
                  cardAccountId={account.id}
                  accountName={accountTitle(account)}
                  currency={account.currency}
                  isCancellationWaiting={isWaiting(card)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      {(cardsExcluded > 0 || hasMoreCards) && (
        <div className="border-t px-4 py-2">
          <ExcludedNote read={{ excluded: cardsExcluded }} />
          {hasMoreCards && <p className="text-xs text-warn">There are more cards than are shown here.</p>}
        </div>
      )}
      {cards.length > firstCards && (
        <div className="border-t px-4 py-2">
          <Button variant="quiet" size="small" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Fewer cards' : `All ${cards.length} cards`}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function expiryNote(card: Card): string {
  const expiry = expiryText(card)
  return expiry === null ? 'expiry not provided' : `expires\u00a0${expiry}`
}

/** The same actions as on the card's own page, from a list. */
function CardMenu({ isCancellationWaiting, ...target }: CardOfAccount & { isCancellationWaiting: boolean }) {
  const { actions, dialog } = useCardActions(target, isCancellationWaiting)
  const { card, cardAccountId } = target
  const environment = useEnvironment()
  return (
    <>
      <Menu
        label={`Actions on ${cardNoun(card)}`}
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
          ...actions.map(({ label, icon: Icon, tone, unavailable, open }) => ({
            kind: 'action' as const,
            label,
            icon: <Icon />,
            unavailable,
            onSelect: open,
            ...(tone === 'bad' ? { tone } : {}),
          })),
        ]}
      />
      {dialog}
    </>
  )
}
