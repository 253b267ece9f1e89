import { CircleCheck, CircleHelp, Hourglass } from 'lucide-react'
import Link from 'next/link'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { Badge } from '#components/ui/badge.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { Time } from '#components/ui/time.tsx'
import type { InboxEvent } from '#lib/console/inbox/read.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

function Applied({ event }: { event: InboxEvent }) {
  if (event.appliedAt) return <StatusBadge tone="good" word="Applied" icon={<CircleCheck aria-hidden="true" />} />
  return <StatusBadge tone="warn" word="Waiting" icon={<Hourglass aria-hidden="true" />} />
}

const linkStyle = 'underline decoration-line underline-offset-2 hover:decoration-current'

/** The account, card or payout that an event is about. */
export function EventSubject({ environment, event }: { environment: Environment; event: InboxEvent }) {
  const { cardAccountId, cardId, payoutId } = event
  if (payoutId !== null) {
    return (
      <Link prefetch={false} href={routes.payout(environment, payoutId)} className={linkStyle}>
        Payout <span className="font-mono text-[0.92em]">{shortId(payoutId)}</span>
      </Link>
    )
  }
  if (cardAccountId === null) return <span className="text-faint">–</span>
  return cardId === null ? (
    <Link prefetch={false} href={routes.cardAccount(environment, cardAccountId)} className={linkStyle}>
      Account <span className="font-mono text-[0.92em]">{shortId(cardAccountId)}</span>
    </Link>
  ) : (
    <Link prefetch={false} href={routes.card(environment, cardAccountId, cardId)} className={linkStyle}>
      Card <span className="font-mono text-[0.92em]">{shortId(cardId)}</span>
    </Link>
  )
}

export function inboxColumns(environment: Environment): DataColumn<InboxEvent>[] {
  return [
    {
      id: 'event',
      header: 'Event',
      cell: ({ event }) => <span className="font-medium wrap-anywhere">{event}</span>,
      below: ({ id }) => <span className="font-mono">{shortId(id)}</span>,
      copy: ({ id }) => ({ text: id, label: 'event id' }),
    },
    {
      id: 'subject',
      header: 'About',
      cell: (event) => <EventSubject environment={environment} event={event} />,
    },
    {
      id: 'received',
      header: 'Received',
      cell: ({ receivedAt }) => <Time instant={receivedAt} format="exact" className="text-soft" />,
    },
    {
      id: 'time',
      header: 'Its own time',
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
