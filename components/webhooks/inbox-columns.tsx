import { CircleCheck, CircleHelp, Hourglass } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { Badge, StatusBadge } from '#components/ui/badge.tsx'
import { Time } from '#components/ui/time.tsx'
import type { InboxEvent } from '#lib/console/inbox/shapes.ts'
import { shortId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { EventName, EventSubject, subjectOf } from './event-subject.tsx'

function Applied({ event }: { event: InboxEvent }) {
  if (event.appliedAt) return <StatusBadge tone="good" label="Applied" icon={CircleCheck} />
  return <StatusBadge tone="warn" label="Waiting" icon={Hourglass} />
}

/** Below the name of an event: in a narrow table, what has no column there. */
function Below({ environment, event }: { environment: Environment; event: InboxEvent }) {
  return (
    <span className="block">
      <span className="grid gap-0.5 py-1 text-xs text-soft @min-[40rem]:hidden">
        {subjectOf(environment, event) && <EventSubject environment={environment} event={event} />}
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Time instant={event.receivedAt} format="exact" />
          {!event.appliedAt && <Applied event={event} />}
        </span>
      </span>
      <span className="font-mono whitespace-nowrap">{shortId(event.id)}</span>
    </span>
  )
}

export function inboxColumns(environment: Environment): DataColumn<InboxEvent>[] {
  return [
    {
      id: 'event',
      header: 'Event',
      cell: ({ event }) => (
        <span className="font-medium">
          <EventName name={event} />
        </span>
      ),
      below: (event) => <Below environment={environment} event={event} />,
      copy: ({ id }) => ({ text: id, label: 'event ID' }),
    },
    {
      id: 'subject',
      header: 'About',
      priority: 2,
      cell: (event) => (
        <span className="block max-w-72">
          <EventSubject environment={environment} event={event} />
        </span>
      ),
      copy: (event) => {
        const subject = subjectOf(environment, event)
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
          {duplicates > 0 && <Badge>{`+${duplicates} duplicate${duplicates === 1 ? '' : 's'}`}</Badge>}
        </span>
      ),
    },
  ]
}
