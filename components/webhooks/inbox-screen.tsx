'use client'

import { CircleCheck, CircleHelp, Hourglass } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { RecordDrawer } from '#components/environment/record-drawer.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { LinkedFilter } from '#components/filters/filter-toggle.tsx'
import { toOptions } from '#components/form/options.ts'
import { BodyText } from '#components/requests/exchange-parts.tsx'
import { Badge, StatusBadge } from '#components/ui/badge.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import type { InboxEvent, InboxEventDetail } from '#lib/console/inbox/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { EventName } from './event-name.tsx'
import { EventSubject, findEventSubject } from './event-subject.tsx'
import { InboxFiguresPanel } from './inbox-figures.tsx'
import { inboxList } from './inbox-params.ts'

const kindOptions = [
  { value: 'unknown', label: 'unknown' },
  { value: 'waiting', label: 'waiting to be applied' },
  { value: 'duplicated', label: 'received more than once' },
]

const names = { what: 'The inbox', noun: 'event', tableId: 'inbox', caption: 'Events' }

export function InboxScreen() {
  const environment = useEnvironment()
  const list = useList(inboxList, (search) => readQuery('listInbox', environment, search), names)
  const { params, setParams, change, filter, data } = list
  const { open } = params

  return (
    <Page
      isDense
      title="Event inbox"
      above={[{ label: 'Webhooks', href: routes.webhooks(environment) }]}
      subtitle="Events received, newest first"
    >
      {data ? <InboxFiguresPanel figures={data.figures} /> : <Skeleton className="h-28 w-full rounded-panel" />}
      <ListFilters list={list} views={<ListViews list="inbox" />}>
        <FilterSelect label="Event" {...filter('event')} options={toOptions(data?.names ?? [])} />
        <FilterSelect label="Kind" {...filter('kind')} options={kindOptions} />
        <FilterDays params={params} onChange={change} />
        <LinkedFilter label="Account" {...filter('cardAccountId')} />
        <LinkedFilter label="Card" {...filter('cardId')} />
      </ListFilters>
      <ListTable
        list={list}
        columns={inboxColumns}
        rows={data?.events}
        rowId={({ id }) => id}
        rowHref={({ id }) => inboxList.href({ ...params, open: id })}
        none={{
          title: 'No events received yet',
          body: 'Check the webhook health: a webhook must lead here, and its deliveries must succeed.',
          actions: <ButtonLink href={routes.webhooks(environment)}>Webhook health</ButtonLink>,
        }}
      />
      <EventDrawer openId={open} onClose={() => void setParams({ open: null })} />
    </Page>
  )
}

function Applied({ event }: { event: InboxEvent }) {
  if (event.appliedAt) return <StatusBadge tone="good" label="Applied" icon={CircleCheck} />
  return <StatusBadge tone="warn" label="Waiting" icon={Hourglass} />
}

/** Below the name of an event: in a narrow table, what has no column there. */
function Below({ event }: { event: InboxEvent }) {
  return (
    <span className="block">
      <span className="grid gap-0.5 py-1 text-xs text-soft @min-[40rem]:hidden">
        {findEventSubject(event) && <EventSubject event={event} />}
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Time instant={event.receivedAt} format="exact" />
          {!event.appliedAt && <Applied event={event} />}
        </span>
      </span>
      <span className="font-mono whitespace-nowrap">{shortId(event.id)}</span>
    </span>
  )
}

export const inboxColumns: DataColumn<InboxEvent>[] = [
  {
    id: 'event',
    header: 'Event',
    cell: ({ event }) => (
      <span className="font-medium">
        <EventName name={event} />
      </span>
    ),
    below: (event) => <Below event={event} />,
    copy: ({ id }) => ({ text: id, label: 'event ID' }),
  },
  {
    id: 'subject',
    header: 'About',
    priority: 2,
    cell: (event) => (
      <span className="block max-w-72">
        <EventSubject event={event} />
      </span>
    ),
    copy: (event) => {
      const subject = findEventSubject(event)
      return subject && { text: subject.id, label: `${subject.kind.toLowerCase()} ID` }
    },
  },
  {
    id: 'received',
    header: 'Received',
    priority: 2,
    cell: ({ receivedAt }) => <Time instant={receivedAt} format="exact" className="text-soft" />,
  },
  {
    id: 'time',
    header: 'Event time',
    priority: 3,
    cell: ({ time }) => <Time instant={time} format="exact" className="text-soft" />,
  },
  {
    id: 'state',
    header: 'State',
    priority: 2,
    cell: (event) => <Applied event={event} />,
    below: ({ problem }) => problem && <span className="line-clamp-2 max-w-72">{problem}</span>,
  },
  {
    id: 'notes',
    header: 'Notes',
    priority: 3,
    cell: ({ isKnown, duplicates }) => (
      <span className="inline-flex flex-wrap gap-1">
        {!isKnown && (
          <Badge tone="info" icon={<CircleHelp aria-hidden="true" />}>
            Unknown
          </Badge>
        )}
        {duplicates > 0 && <Badge>{`+${formatCount(duplicates, 'duplicate')}`}</Badge>}
      </span>
    ),
  },
]

/** One delivery: what came, when, and what became of it. */
function EventDrawer({ openId, onClose }: { openId: string | null; onClose: () => void }) {
  const environment = useEnvironment()
  return (
    <RecordDrawer
      openId={openId}
      read={(id) => readQuery('readInboxEvent', environment, id)}
      what="The event"
      renderTitle={(event) => <EventName name={event?.event ?? 'Event'} />}
      onClose={onClose}
    >
      {(event) => <Detail event={event} />}
    </RecordDrawer>
  )
}

function Detail({ event }: { event: InboxEventDetail }) {
  return (
    <div className="grid gap-4">
      {!event.isKnown && (
        <Callout tone="info" title="Unknown.">
          This event is of an unknown kind. It’s shown as it came.
        </Callout>
      )}
      {event.problem && !event.appliedAt && (
        <Callout tone="warn" title="Not applied yet.">
          {event.problem} It is tried again by itself.
        </Callout>
      )}
      <FactList
        isFramed
        facts={[
          { label: 'ID', value: <IdText id={event.id} label="event ID" /> },
          { label: 'About', value: <About event={event} /> },
          { label: 'Event time', value: <Time instant={event.time} format="exact" isZoneShown /> },
          { label: 'Received', value: <Time instant={event.receivedAt} format="exact" isZoneShown /> },
          {
            label: 'Applied',
            value: event.appliedAt ? <Time instant={event.appliedAt} format="exact" isZoneShown /> : 'not applied',
          },
          { label: 'Duplicates ignored', value: event.duplicates },
        ]}
      />
      <BodyText title="Payload" text={event.body} />
    </div>
  )
}

function About({ event }: { event: InboxEventDetail }) {
  const subject = findEventSubject(event)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <EventSubject event={event} />
      {subject && <IdText id={subject.id} label={`${subject.kind.toLowerCase()} ID`} />}
    </span>
  )
}
