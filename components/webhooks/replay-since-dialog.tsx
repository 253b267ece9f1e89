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

/** How far a replay is: the events delivered so far and the last of them, and how the last request ended. */
type Progress = { delivered: number; last: string | null; outcome: ConfirmOutcome; next: 'Go on' | 'Try again' | null }

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
  const [progress, setProgress] = useState<Progress | null>(null)
  const since = typed === '' ? null : parseWallTime(typed, zone.name)
  const chosen = event === null ? {} : { event }

  async function send() {
    if (since === null) return
    setIsPending(true)
    const { delivered, last } = progress ?? { delivered: 0, last: null }
    try {
      const after = last === null ? {} : { after: last }
      const replayed = await runAction('replaySince', { environment, webhookId, since, ...chosen, ...after })
      setProgress(replayProgress(replayed, { delivered, last }))
    } catch {
      const body = 'Carddesk didn’t respond. A replay can be repeated.'
      const outcome = { tone: 'warn' as const, title: 'The result is not known.', body }
      setProgress({ delivered, last, outcome, next: 'Try again' })
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
      outcome={progress?.outcome ?? null}
      {...(progress?.next && { onRetry: () => void send(), retryLabel: progress.next })}
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
  if (hasMore) return `The first ${count.format(events)} events are sent. Afterwards you can go on with the others.`
  return events === 0 ? 'No events since then.' : `${formatCount(events, 'event is', 'events are')} sent.`
}

/** How far a replay is after one more request. */
export function replayProgress(replayed: Replayed, before: Pick<Progress, 'delivered' | 'last'>): Progress {
  if (replayed.kind === 'refused') {
    const { happened, next } = replayed.outcome
    return { ...before, outcome: { tone: 'bad', title: 'Not replayed', body: `${happened} ${next}` }, next: null }
  }
  if (replayed.kind === 'invalid') {
    const body = errorSentences(replayed.fields)
    return { ...before, outcome: { tone: 'bad', title: 'Not replayed', body }, next: null }
  }
  const { failed, hasMore } = replayed.result
  const delivered = before.delivered + replayed.result.delivered
  const last = replayed.result.last ?? before.last
  const sent = `${formatCount(delivered, 'event')} delivered`
  if (failed) {
    const body = `${failed.event}: ${resultText(failed)}. The later ones were not sent.`
    return {
      delivered,
      last,
      outcome: { tone: 'warn', title: `${sent}, then one was not`, body },
      next: 'Try again',
    }
  }
  if (!hasMore) return { delivered, last, outcome: { tone: 'good', title: sent }, next: null }
  return { delivered, last, outcome: { tone: 'info', title: sent, body: 'There are more.' }, next: 'Go on' }
}
