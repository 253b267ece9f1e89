'use client'

import { useQuery } from '@tanstack/react-query'
import { readFailure } from '#components/environment/read-failure.ts'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import type { InboxEventDetail } from '#lib/console/inbox/read.ts'
import { inboxEventQuery } from '#lib/queries/webhooks.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { EventSubject } from './inbox-columns.tsx'

/** One delivery: what came, when, and what became of it. */
export function EventWindow({
  environment,
  eventId,
  onClose,
}: {
  environment: Environment
  eventId: string | null
  onClose: () => void
}) {
  const { data, error, refetch, isFetching } = useQuery({
    ...inboxEventQuery(environment, eventId ?? ''),
    enabled: eventId !== null,
  })
  const failure = data ? null : readFailure(error, 'The event')
  return (
    <Dialog
      kind="drawer-end"
      isOpen={eventId !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={<span className="wrap-anywhere">{data?.event ?? 'Event'}</span>}
    >
      {failure && <ErrorState failure={failure} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!failure && !data && (
        <>
          <Loading what="the event" />
          <Skeleton className="h-64 w-full rounded-panel" />
        </>
      )}
      {data && <Detail environment={environment} event={data} />}
    </Dialog>
  )
}

function Detail({ environment, event }: { environment: Environment; event: InboxEventDetail }) {
  return (
    <div className="grid gap-4">
      {!event.isKnown && (
        <Callout tone="info" title="Unknown.">
          The interface does not name this event, or the delivery is not of the shape that it gives. It is kept as it
          came.
        </Callout>
      )}
      {event.problem && !event.appliedAt && (
        <Callout tone="warn" title="Not applied yet.">
          {event.problem} It is tried again by itself.
        </Callout>
      )}
      <dl className="divide-y rounded-panel border">
        <Row label="Id">
          <IdText id={event.id} label="event id" />
        </Row>
        <Row label="About">
          <EventSubject environment={environment} event={event} />
        </Row>
        <Row label="Its own time">
          <Time instant={event.time} format="exact" isZoneShown />
        </Row>
        <Row label="Received">
          <Time instant={event.receivedAt} format="exact" isZoneShown />
        </Row>
        <Row label="Applied">
          <Time instant={event.appliedAt} format="exact" isZoneShown />
        </Row>
        <Row label="Duplicates ignored">{event.duplicates}</Row>
      </dl>
      <section aria-labelledby="event-payload" className="min-w-0">
        <div className="flex items-center gap-1">
          <h3 id="event-payload" className="font-medium">
            Payload
          </h3>
          <CopyButton text={event.body} label="payload" />
        </div>
        <pre className="mt-1 rounded-panel border bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {indented(event.body)}
        </pre>
      </section>
    </div>
  )
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2">
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}

/** For the eye alone: copying takes the exact text. Numbers that a script cannot hold are left as they came. */
function indented(body: string): string {
  try {
    const text = JSON.stringify(JSON.parse(body), null, 2)
    return JSON.stringify(JSON.parse(text)) === body ? text : body
  } catch {
    return body
  }
}
