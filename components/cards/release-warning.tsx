import { Callout } from '#components/ui/callout.tsx'
import type { CardDetail } from '#lib/console/cards/types.ts'
import { type CardAction, releasingActions } from '#lib/contract/card-actions.ts'
import { replacedText } from './card-status.ts'

/** Why a card had better stay stopped: it was reported lost or stolen, is replaced, or is to be cancelled. Nothing of an action that stops it. */
export function reasonsToStayStopped(action: CardAction, detail: CardDetail | undefined): string[] {
  if (!releasingActions.has(action) || detail === undefined) return []
  const { replacements, waiting } = detail
  return [
    detail.history.isReportedLost && 'It was reported lost or stolen.',
    replacedText(replacements),
    waiting.length > 0 && 'Its cancellation waits for an approval.',
  ].filter((sentence) => typeof sentence === 'string')
}

/** Shown before such a card can be charged again. */
export function ReleaseWarning({ sentences: [title, ...more] }: { sentences: readonly string[] }) {
  return (
    title !== undefined && (
      <Callout tone="warn" title={title}>
        {[...more, 'Whoever has the card can use it again.'].join(' ')}
      </Callout>
    )
  )
}
