import { Callout } from '#components/ui/callout.tsx'
import type { CardDetail } from '#lib/console/cards/types.ts'
import { type CardAction, releasingActions } from '#lib/contract/card-actions.ts'
import { replacedText } from './card-status.ts'

/** Before a card can be charged again: that it was reported lost or stolen, that it is replaced, and that it is to be cancelled. */
export function ReleaseWarning({ action, detail }: { action: CardAction; detail: CardDetail | undefined }) {
  if (!releasingActions.has(action) || detail === undefined) return null
  const { replacements, waiting } = detail
  const [title, ...more] = [
    detail.history.isReportedLost && 'It was reported lost or stolen.',
    replacedText(replacements),
    waiting.length > 0 && 'Its cancellation waits for an approval.',
  ].filter((sentence) => typeof sentence === 'string')
  return (
    title !== undefined && (
      <Callout tone="warn" title={title}>
        {[...more, 'Whoever has the card can use it again.'].join(' ')}
      </Callout>
    )
  )
}
