import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { parseWallTime } from '#components/filters/day-range.ts'
import { ConfirmDialog, type ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { errorSentences } from '#components/form/error-sentence.ts'
import { TextField } from '#components/form/text-field.tsx'
import { refetchChanged } from '#components/operations/use-action.ts'
import { count, formatCount } from '#components/ui/count.ts'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { type ActionOutput, runAction } from '#lib/actions/run-action.ts'
import { resultText } from './attempt-text.ts'

type Replayed = ActionOutput<'replaySince'>

/** Asks from when on the events are sent to a webhook again, and says how many that are before they are. */
export function ReplaySinceDialog({
  webhookId,
  event,
  onClose,
}: {
  webhookId: string
  /** Only this event; null for each. */
  event: string | null
  onClose: () => void
}) {
  const environment = useEnvironment()
  const zone = usePageZone()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isPending, setIsPending] = useState(false)
  const [outcome, setOutcome] = useState<ConfirmOutcome | null>(null)
  const since = typed === '' ? null : parseWallTime(typed, zone.name)
  const chosen = event === null ? {} : { event }

  async function send() {
    if (since === null) return
    setIsPending(true)
    try {
      setOutcome(replayOutcome(await runAction('replaySince', { environment, webhookId, since, ...chosen })))
    } catch {
      setOutcome({
        tone: 'warn',
        title: 'The result is not known.',
        body: 'Carddesk didn’t respond. A replay can be repeated.',
      })
    } finally {
      setIsPending(false)
      void refetchChanged(client, environment, 'replaySince')
    }
  }

  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      confirmationLevel="moderate"
      title="Replay events?"
      consequence="They are sent again in their order, beside the queue, until one is not taken. The receiver knows them by their IDs."
      rows={[event !== null && { label: 'Event', value: event }]}
      confirmLabel="Replay"
      isPending={isPending}
      outcome={outcome}
      unavailable={since === null ? 'Choose a time first' : undefined}
      onConfirm={() => void send()}
    >
      <TextField
        type="datetime-local"
        label={`Since, ${zone.label}`}
        required
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {since !== null && <Preview webhookId={webhookId} search={{ since, ...chosen }} />}
    </ConfirmDialog>
  )
}

function Preview({ webhookId, search }: { webhookId: string; search: { since: string; event?: string } }) {
  const { data, error } = useRead('previewReplay', webhookId, search)
  const text = error ? `Couldn’t count the events. ${error.message}` : data ? previewText(data) : 'Counting…'
  return <output>{text}</output>
}

/** How many events would be sent: "3 events", "The first 1,000 events of more". */
export function previewText({ count: events, hasMore }: { count: number; hasMore: boolean }): string {
  if (hasMore) return `The first ${count.format(events)} events are sent. Replay from the last one on for the others.`
  return events === 0 ? 'No events since then.' : `${formatCount(events, 'event is', 'events are')} sent.`
}

/** The result of a replay in words. */
export function replayOutcome(replayed: Replayed): ConfirmOutcome {
  if (replayed.kind === 'refused') {
    const { happened, next } = replayed.outcome
    return { tone: 'bad', title: 'Not replayed', body: `${happened} ${next}` }
  }
  if (replayed.kind === 'invalid') {
    return { tone: 'bad', title: 'Not replayed', body: errorSentences(replayed.fields) }
  }
  const { delivered, failed, hasMore } = replayed.result
  const sent = `${formatCount(delivered, 'event')} delivered`
  if (failed) {
    return {
      tone: 'warn',
      title: `${sent}, then one was not`,
      body: `${failed.event}: ${resultText(failed)}. The later ones were not sent.`,
    }
  }
  return { tone: 'good', title: sent, ...(hasMore && { body: 'There are more: replay from the last one on.' }) }
}
