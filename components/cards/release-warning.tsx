import { Callout } from '#components/ui/callout.tsx'
import type { CardDetail, CardHistory } from '#lib/console/cards/types.ts'
import type { CardAction } from '#lib/contract/card-actions.ts'
import { replacedText } from './card-status.ts'

/** Actions after which the card can be charged again. */
const releases: ReadonlySet<CardAction> = new Set(['unlock', 'unsuspend', 'activate'])

/** Before a card can be charged again: that it was reported lost or stolen, that it is replaced, and that it is to be cancelled. */
export function ReleaseWarning({ action, detail }: { action: CardAction; detail: CardDetail | undefined }) {
  if (!releases.has(action) || detail === undefined) return null
  const { replacements, waiting } = detail
  const [title, ...more] = [
    isReportedLost(detail.history) && 'It was reported lost or stolen.',
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

/** Whether the last report of a loss came after the last time that somebody made the card usable. */
export function isReportedLost({ entries }: Pick<CardHistory, 'entries'>): boolean {
  for (const entry of entries) {
    if (entry.kind !== 'operation' || !happened.has(entry.outcome.state)) continue
    if (entry.reason === 'lost-or-stolen') return true
    const isRelease = entry.act === 'card.unlock' || entry.act === 'card.activate'
    if (isRelease && entry.outcome.state === 'done') return false
  }
  return false
}

/** States of an operation that may have had its effect, or will have it. */
const happened: ReadonlySet<string> = new Set(['done', 'partial', 'unknown', 'running', 'waiting'])
