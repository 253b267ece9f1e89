'use client'

import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { type ReactNode, useEffect } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { type CardAction, cardActions, shortLabel } from '#lib/contract/card-actions.ts'
import type { CardOfAccount } from './card-action-dialog.tsx'
import { cardActionUi, cardDeeds, type OfferedDeed, unavailability } from './card-action-table.ts'

const CardActionDialog = lazyDialog(() => import('./card-action-dialog.tsx').then((file) => file.CardActionDialog))

/** Every card action with why it cannot be used now, and the dialog to render beside what offers them. */
export function useCardActions(
  target: CardOfAccount,
  isCancellationWaiting = false,
): { actions: OfferedDeed[]; dialog: ReactNode } {
  const person = usePermissions()
  const { open, opened } = useOpened<{ action: CardAction }>()
  const actions = cardActions.map((action) => ({
    action,
    label: shortLabel(action),
    icon: cardActionUi[action].icon,
    tone: cardActionUi[action].tone,
    unavailable:
      unavailability(action, target.card.status, person) ??
      (action === 'cancel' && isCancellationWaiting ? 'A cancellation waits for approval already.' : undefined),
    open: () => open({ action }),
  }))
  const dialog = opened && <CardActionDialog key={opened.operationId} {...target} {...opened} />
  return { actions, dialog }
}

/** `?action=lock` opens that dialog once, where the action is possible now. A URL opens it; a person confirms it. */
export function useActionParam(
  actions: readonly Pick<OfferedDeed, 'action' | 'unavailable' | 'open'>[],
  isPersonKnown: boolean,
): void {
  const [requested, setRequested] = useQueryState('action', parseAsStringLiteral(cardDeeds))
  useEffect(() => {
    if (requested === null || !isPersonKnown) return
    void setRequested(null)
    const offered = actions.find(({ action }) => action === requested)
    if (offered && offered.unavailable === undefined) offered.open()
  }, [requested, setRequested, actions, isPersonKnown])
}
