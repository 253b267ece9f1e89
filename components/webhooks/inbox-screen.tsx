'use client'

import { HeartPulse } from 'lucide-react'
import { useMemo } from 'react'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { useList } from '#components/environment/use-list.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { count } from '#components/ui/count.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Stat } from '#components/ui/stat.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { InboxFigures as Figures } from '#lib/console/inbox/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { EventName } from './event-subject.tsx'
import { EventWindow } from './event-window.tsx'
import { inboxColumns } from './inbox-columns.tsx'
import { inboxList } from './inbox-params.ts'

/** The figures of the inbox: the newest event, counts, and the delay until events are applied. */
export function InboxFigures({ figures }: { figures: Figures }) {
  const zone = usePageZone()
  const { newest, received, receivedToday, waiting, signatures, malformed, duplicates, lagMs } = figures
  return (
    <div className="grid gap-x-6 gap-y-4 rounded-panel border bg-surface p-4 grid-cols-2 lg:grid-cols-5">
      <Stat
        label="Newest event"
        value={newest ? <RelativeTime instant={newest.receivedAt} /> : 'None yet'}
        note={newest ? <EventName name={newest.event} /> : 'No events received yet'}
      />
      <Stat
        label={`Received today, ${zone.label}`}
        value={count.format(receivedToday)}
        note={`${count.format(received)} in total, ${waiting === 0 ? 'all applied' : `${count.format(waiting)} waiting`}`}
      />
      <Stat
        label="Wrong signatures"
        value={count.format(signatures.count)}
        note={
          <>
            Rejected, not stored
            {signatures.lastAt && (
              <>
                ; the last <Time instant={signatures.lastAt} />
              </>
            )}
            {malformed > 0 && `; ${count.format(malformed)} more without an ID or not JSON`}
          </>
        }
      />
      <Stat label="Duplicates" value={count.format(duplicates)} note="Ignored repeats" />
      <Stat
        label="Time to apply, p99"
        value={lagMs ? `${count.format(lagMs.p99)} ms` : noValue}
        note={lagMs ? `Median ${count.format(lagMs.p50)} ms, ${lagEventsText(lagMs.events)}` : 'No events applied yet'}
      />
    </div>
  )
}

const lagEventsAtMost = 1000

function lagEventsText(events: number): string {
  if (events >= lagEventsAtMost) return `last ${count.format(lagEventsAtMost)} events`
  return events === 1 ? '1 event' : `${count.format(events)} events`
}

const kindOptions = [
  { value: 'unknown', label: 'unknown' },
  { value: 'waiting', label: 'waiting to be applied' },
  { value: 'duplicated', label: 'received more than once' },
]

export function InboxScreen({ environment }: { environment: Environment }) {
  const list = useList(inboxList, (search) => readQuery('listInbox', environment, search), {
    what: 'The inbox',
    pageSize: 50,
  })
  const { params, setParams, change, filter, toggle, data } = list
  const { cardAccountId, cardId, open } = params
  const columns = useMemo(() => inboxColumns(environment), [environment])

  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Event inbox"
        breadcrumbs={[{ label: 'Webhooks', href: routes.webhooks(environment) }, { label: 'Event inbox' }]}
        subtitle="Events received from the API, newest first"
        actions={
          <ButtonLink href={routes.webhooks(environment)} icon={<HeartPulse />}>
            Webhook health
          </ButtonLink>
        }
      />
      {data ? <InboxFigures figures={data.figures} /> : <Skeleton className="h-28 w-full rounded-panel" />}
      <ListFilters list={list} saved={{ environment, as: 'inbox' }}>
        <FilterSelect
          label="Event"
          {...filter('event')}
          options={(data?.names ?? []).map((name) => ({ value: name, label: name }))}
        />
        <FilterSelect label="Kind" {...filter('kind')} options={kindOptions} />
        <FilterDays params={params} onChange={change} />
        {cardAccountId !== null && (
          <FilterToggle label={`Account ${shortId(cardAccountId)}`} {...toggle('cardAccountId')} />
        )}
        {cardId !== null && <FilterToggle label={`Card ${shortId(cardId)}`} {...toggle('cardId')} />}
      </ListFilters>
      <ListTable
        list={list}
        noun="event"
        tableId="inbox"
        caption="Events"
        columns={columns}
        rows={data?.events}
        rowId={({ id }) => id}
        rowHref={({ id }) => inboxList.href({ ...params, open: id })}
        none={{
          title: 'No events received yet',
          body: 'Check the webhook health: a webhook must lead here, and its deliveries must succeed.',
          actions: <ButtonLink href={routes.webhooks(environment)}>Webhook health</ButtonLink>,
        }}
      />
      <EventWindow environment={environment} openId={open} onClose={() => void setParams({ open: null })} />
    </div>
  )
}
