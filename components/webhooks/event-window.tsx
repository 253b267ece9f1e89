'use client'

import { RecordDrawer } from '#components/environment/record-drawer.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { FactBox } from '#components/ui/fact-list.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import { Time } from '#components/ui/time.tsx'
import type { InboxEventDetail } from '#lib/console/inbox/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { indentedJson } from '#lib/shared/json.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { EventName, EventSubject, subjectOf } from './event-subject.tsx'

/** One delivery: what came, when, and what became of it. */
export function EventWindow({
  environment,
  openId,
  onClose,
}: {
  environment: Environment
  openId: string | null
  onClose: () => void
}) {
  return (
    <RecordDrawer
      openId={openId}
      read={(id) => readQuery('readInboxEvent', environment, id)}
      what="The event"
      renderTitle={(event) => <EventName name={event?.event ?? 'Event'} />}
      onClose={onClose}
    >
      {(event) => <Detail environment={environment} event={event} />}
    </RecordDrawer>
  )
}

function Detail({ environment, event }: { environment: Environment; event: InboxEventDetail }) {
  return (
    <div className="grid gap-4">
      {!event.isKnown && (
        <Callout tone="info" title="Unknown.">
          This event’s name or shape isn’t in the API’s contract. It’s shown as it came.
        </Callout>
      )}
      {event.problem && !event.appliedAt && (
        <Callout tone="warn" title="Not applied yet.">
          {event.problem} It is tried again by itself.
        </Callout>
      )}
      <FactBox
        facts={[
          { label: 'ID', value: <IdText id={event.id} label="event ID" /> },
          { label: 'About', value: <About environment={environment} event={event} /> },
          { label: 'Event time', value: <Time instant={event.time} format="exact" isZoneShown /> },
          { label: 'Received', value: <Time instant={event.receivedAt} format="exact" isZoneShown /> },
          {
            label: 'Applied',
            value: event.appliedAt ? <Time instant={event.appliedAt} format="exact" isZoneShown /> : 'not applied',
          },
          { label: 'Duplicates ignored', value: event.duplicates },
        ]}
      />
      <section aria-labelledby="event-payload" className="min-w-0">
        <div className="flex items-center gap-1">
          <h3 id="event-payload" className="font-medium">
            Payload
          </h3>
          <CopyButton text={event.body} label="payload" />
        </div>
        <pre className="mt-1 rounded-panel border bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {indentedJson(event.body)}
        </pre>
      </section>
    </div>
  )
}

function About({ environment, event }: { environment: Environment; event: InboxEventDetail }) {
  const subject = subjectOf(environment, event)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <EventSubject environment={environment} event={event} />
      {subject && <IdText id={subject.id} label={`${subject.kind.toLowerCase()} ID`} />}
    </span>
  )
}
