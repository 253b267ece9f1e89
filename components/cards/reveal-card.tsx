'use client'

import { Eye } from 'lucide-react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { RevealReason } from '#lib/contract/card-actions.ts'
import { notRevealed } from './card-action-table.ts'
import type { RevealTarget } from './reveal-dialog.tsx'

const RevealDialog = lazyDialog(() => import('./reveal-dialog.tsx').then((file) => file.RevealDialog))

/** The dialog that reveals a card, with what opens it; `unavailable` is why it cannot be opened now. */
export function useRevealCard(target: RevealTarget, suggestedReason?: RevealReason) {
  const { denied } = usePermissions()
  const { open, opened } = useOpened()
  return {
    unavailable: denied('cards.reveal') ?? notRevealed.get(target.card.status ?? ''),
    open: () => open({}),
    dialog: opened && (
      <RevealDialog key={opened.operationId} {...target} suggestedReason={suggestedReason} {...opened} />
    ),
  }
}

/** The button on the card's own page. */
export function RevealButton({ unavailable, open, dialog }: ReturnType<typeof useRevealCard>) {
  return (
    <>
      <Button icon={<Eye aria-hidden="true" />} aria-haspopup="dialog" unavailable={unavailable} onClick={open}>
        Reveal card
      </Button>
      {dialog}
    </>
  )
}

/** Offered where digits of the card have to be typed. */
export function RevealHint(target: RevealTarget) {
  const { unavailable, open, dialog } = useRevealCard(target, 'card-activation')
  if (unavailable !== undefined) return null
  return (
    <p className="text-soft">
      Don’t have the digits?{' '}
      <button type="button" aria-haspopup="dialog" className="rounded-chip underline underline-offset-2" onClick={open}>
        Reveal card
      </button>
      {dialog}
    </p>
  )
}
