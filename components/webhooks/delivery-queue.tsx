import { useState } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { errorSentences } from '#components/form/error-sentence.ts'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { IdText } from '#components/ui/id-text.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReadResult } from '#lib/queries/reads.ts'
import { attemptText } from './attempt-text.ts'
import { EventName } from './event-name.tsx'

type Next = NonNullable<ReadResult<'listDeliveries'>['next']>
type Waiting = ReadResult<'readDeliveryQueue'>['waiting'][number]

/**
 * When the next attempt is due, with a way to make it now, and the events that wait, each with a way to skip it. A ping of a suspended
 * webhook is sent by the button of its panel.
 */
export function DeliveryQueue({
  webhookId,
  next,
  unavailable,
}: {
  webhookId: string
  next: Next | null
  unavailable: string | undefined
}) {
  const { data } = useRead('readDeliveryQueue', webhookId)
  const { isPending, problem, clearProblem, errors, run } = useAction()
  const [skipped, setSkipped] = useState<Waiting | null>(null)
  const wrong = errorSentences(errors)
  const problems = problem ? (
    <OutcomeCallout outcome={problem} />
  ) : (
    wrong !== '' && (
      <Callout tone="bad" title="Not changed." isAlert>
        {wrong}
      </Callout>
    )
  )
  return (
    <>
      {next && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p>
            Next {next.kind === 'ping' ? 'ping' : 'attempt'}: <Time instant={next.at} format="exact" />{' '}
            <span className="text-soft">({attemptText(next)})</span>
          </p>
          {next.kind !== 'ping' && (
            <Button
              size="small"
              isPending={isPending}
              unavailable={unavailable}
              reason="described"
              onClick={() => void run('retryDelivery', { webhookId })}
            >
              Retry now
            </Button>
          )}
        </div>
      )}
      {skipped === null && problems}
      {data && data.total > 0 && (
        <section aria-label="Waiting events">
          <h3 className="font-medium">{formatCount(data.total, 'event waits', 'events wait')}</h3>
          <ol className="mt-1 divide-y rounded-panel border text-xs">
            {data.waiting.map((waiting, index) => (
              <li key={waiting.eventId} className="flex flex-wrap items-center gap-x-3 px-3 py-1">
                <span className="min-w-0">
                  <EventName name={waiting.event} />
                </span>
                <IdText id={waiting.eventId} label="event ID" />
                {index === 0 && <span className="text-soft">Next</span>}
                <Button
                  size="small"
                  variant="quiet"
                  className="ml-auto"
                  unavailable={unavailable}
                  reason="described"
                  onClick={() => {
                    clearProblem()
                    setSkipped(waiting)
                  }}
                >
                  Skip…<span className="sr-only"> {waiting.event}</span>
                </Button>
              </li>
            ))}
          </ol>
          {data.total > data.waiting.length && (
            <p className="mt-1 text-faint">The first {count.format(data.waiting.length)} are shown.</p>
          )}
        </section>
      )}
      <ConfirmDialog
        isOpen={skipped !== null}
        onClose={() => setSkipped(null)}
        confirmationLevel="moderate"
        title="Skip this event?"
        consequence="This webhook never gets it by itself. It can be replayed for 90 days."
        rows={[skipped && { label: 'Event', value: <EventName name={skipped.event} /> }]}
        confirmLabel="Skip event"
        cancelLabel="Keep event"
        isPending={isPending}
        problem={problems}
        onConfirm={() => {
          if (!skipped) return
          const { eventId } = skipped
          void run('skipDelivery', { webhookId, eventId }).then((done) => done && setSkipped(null))
        }}
      />
    </>
  )
}
