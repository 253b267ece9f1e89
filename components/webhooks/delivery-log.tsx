import { parseAsString, useQueryState } from 'nuqs'
import { Fragment, type ReactNode, useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { toOptions } from '#components/form/options.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { count } from '#components/ui/count.ts'
import { Time } from '#components/ui/time.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { shortId } from '#lib/shared/ids.ts'
import { attemptText, type DeliveryAttempt, resultText } from './attempt-text.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryQueue } from './delivery-queue.tsx'
import { EventName } from './event-name.tsx'
import { ReplaySinceDialog } from './replay-since-dialog.tsx'
import { useWebhookSend } from './webhook-send.ts'

const cell = 'border-t px-3 py-1 text-left'

/** The attempts at a webhook, newest first, with a way to send an event again. It is read once it is opened. */
export function DeliveryLog({
  webhook: { id, state },
  unavailable,
  children,
}: {
  webhook: WebhookHealth
  unavailable: string | undefined
  /** The text beside the button. */
  children?: ReactNode
}) {
  const [opened, setOpened] = useQueryState('deliveries', parseAsString)
  const isOpen = opened === id
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="small" aria-expanded={isOpen} onClick={() => void setOpened(isOpen ? null : id)}>
          Delivery log
        </Button>
        {children}
      </div>
      {isOpen && <OpenLog webhookId={id} isDeleted={state === 'deleted'} unavailable={unavailable} />}
    </div>
  )
}

function OpenLog({
  webhookId,
  isDeleted,
  unavailable,
}: {
  webhookId: string
  /** Nothing can be sent to it. */
  isDeleted: boolean
  unavailable: string | undefined
}) {
  const [cursor, setCursor] = useState<string | undefined>(undefined)
  const [event, setEvent] = useState<string | null>(null)
  const [isReplaying, setIsReplaying] = useState(false)
  const search = { ...(cursor !== undefined && { cursor }), ...(event !== null && { event }) }
  const { data, error } = useRead('listDeliveries', webhookId, search)
  const replay = useWebhookSend('replayDelivery', 'A replay')
  if (error && !data) return <p className="mt-2 text-soft">Couldn’t read the deliveries. {error.message}</p>
  if (!data) return <p className="mt-2 text-soft">Loading…</p>
  if (!data.isOffered) {
    return (
      <p className="mt-2 max-w-prose text-soft">
        This API reports no single deliveries. It reports the queue, the last success and the last failure, shown above.
      </p>
    )
  }
  return (
    <div className="mt-2 grid gap-3">
      {replay.labels && (
        <Callout tone={replay.labels.tone} title={replay.labels.title} isAlert>
          {replay.labels.body}
        </Callout>
      )}
      {cursor === undefined && <DeliveryQueue webhookId={webhookId} next={data.next} unavailable={unavailable} />}
      <div className="flex flex-wrap items-center gap-2">
        <FilterSelect
          label="Event"
          value={event}
          options={toOptions(eventNames)}
          onChange={(chosen) => {
            setEvent(chosen)
            setCursor(undefined)
          }}
        />
        {!isDeleted && (
          <Button size="small" unavailable={unavailable} reason="described" onClick={() => setIsReplaying(true)}>
            Replay since…
          </Button>
        )}
      </div>
      {isReplaying && <ReplaySinceDialog webhookId={webhookId} event={event} onClose={() => setIsReplaying(false)} />}
      {data.attempts.length === 0 ? (
        <p className="text-soft">{event === null ? 'No attempts logged.' : 'No attempts at this event.'}</p>
      ) : (
        <Attempts
          webhookId={webhookId}
          isDeleted={isDeleted}
          attempts={data.attempts}
          replay={replay}
          unavailable={unavailable}
        />
      )}
      {(data.nextCursor !== null || cursor !== undefined) && (
        <div className="flex gap-2">
          {cursor !== undefined && (
            <Button size="small" onClick={() => setCursor(undefined)}>
              Show newest
            </Button>
          )}
          {data.nextCursor !== null && (
            <Button size="small" onClick={() => setCursor(data.nextCursor ?? undefined)}>
              Show older
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function Attempts({
  webhookId,
  isDeleted,
  attempts,
  replay,
  unavailable,
}: {
  webhookId: string
  isDeleted: boolean
  attempts: readonly DeliveryAttempt[]
  replay: ReturnType<typeof useWebhookSend>
  unavailable: string | undefined
}) {
  const environment = useEnvironment()
  const [openId, setOpenId] = useState<string | null>(null)
  return (
    <table className="w-full text-xs">
      <caption className="sr-only">Attempts, newest first</caption>
      <thead>
        <tr className="text-faint">
          <th className={cell}>At</th>
          <th className={cell}>Event</th>
          <th className={cell}>Result</th>
          <th className={`${cell} hidden @2xl:table-cell`}>Attempt</th>
          <th className={`${cell} hidden @2xl:table-cell`}>Next attempt</th>
          <th className={cell}>
            <span className="sr-only">Replay</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <Fragment key={attempt.id}>
            <tr>
              <td className={cell}>
                <Time instant={attempt.at} format="exact" className="@max-2xl:whitespace-normal" />
              </td>
              <td className={cell}>
                <button
                  type="button"
                  className="text-left underline decoration-dotted underline-offset-4 hover:decoration-solid"
                  aria-expanded={openId === attempt.id}
                  onClick={() => setOpenId(openId === attempt.id ? null : attempt.id)}
                >
                  <EventName name={attempt.event} />{' '}
                  <span className="font-mono text-xs whitespace-nowrap text-faint">{shortId(attempt.eventId)}</span>
                </button>
                <span className="block text-faint @2xl:hidden">{attemptText(attempt)}</span>
              </td>
              <td className={cell}>
                <StatusBadge tone={attempt.problem === null ? 'good' : 'bad'} label={resultText(attempt)} />
                <span className="ml-1.5 whitespace-nowrap text-faint">{count.format(attempt.durationMs)} ms</span>
              </td>
              <td className={`${cell} hidden @2xl:table-cell`}>{attemptText(attempt)}</td>
              <td className={`${cell} hidden @2xl:table-cell`}>
                <Time instant={attempt.nextAt} missing="None" />
              </td>
              <td className={`${cell} text-right`}>
                {attempt.event !== 'ping' && !isDeleted && (
                  <Button
                    size="small"
                    variant="quiet"
                    isPending={replay.pendingId === attempt.id}
                    unavailable={unavailable}
                    reason="described"
                    onClick={() =>
                      void replay.send(
                        attempt.id,
                        () => runAction('replayDelivery', { environment, webhookId, eventId: attempt.eventId }),
                        'healthy',
                      )
                    }
                  >
                    Replay
                    <span className="sr-only">
                      {' '}
                      {attempt.event} {shortId(attempt.eventId)}
                    </span>
                  </Button>
                )}
              </td>
            </tr>
            {openId === attempt.id && (
              <tr>
                <td colSpan={6} className="px-3 pb-3">
                  <DeliveryDetail webhookId={webhookId} attempt={attempt} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
