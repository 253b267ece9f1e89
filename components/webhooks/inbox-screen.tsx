'use client'

import { HeartPulse } from 'lucide-react'
import { useMemo } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { SavedViews } from '#components/environment/saved-views.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { count } from '#components/ui/count.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Stat } from '#components/ui/stat.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { InboxFigures as Figures } from '#lib/console/inbox/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { EventName } from './event-name.tsx'
import { EventWindow } from './event-window.tsx'
import { inboxColumns } from './inbox-columns.tsx'
import { inboxList } from './inbox-params.ts'

/** Whether events reach the console, at a glance. */
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
            {malformed > 0 && `; ${count.format(malformed)} more without an id or not JSON`}
          </>
        }
      />
      <Stat label="Duplicates" value={count.format(duplicates)} note="Ignored repeats" />
      <Stat
        label="Received to applied, p99"
        value={lagMs ? `${count.format(lagMs.p99)} ms` : '–'}
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
  { value: 'duplicated', label: 'came more than once' },
]

export function InboxScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const list = useListParams(inboxList)
  const { params, setParams, isFiltered, change, clearButton, toFirstPage } = list
  const { event, cardAccountId, cardId, kind, open } = params
  const { data, table } = useListRead(readQuery('listInbox', environment, inboxList.searchOf(params, zone)), {
    what: 'The inbox',
    pageSize: 50,
    toFirstPage,
  })
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
      <FilterBar list={list} columnChooser={<SavedViews environment={environment} list="inbox" />}>
        <FilterSelect
          label="Event"
          value={event}
          options={(data?.names ?? []).map((name) => ({ value: name, label: name }))}
          onChange={(value) => change({ event: value })}
        />
        <FilterSelect label="Kind" value={kind} options={kindOptions} onChange={(value) => change({ kind: value })} />
        <FilterDays params={params} onChange={change} />
        {cardAccountId !== null && (
          <FilterToggle
            label={`Account ${shortId(cardAccountId)}`}
            isOn
            onChange={() => change({ cardAccountId: null })}
          />
        )}
        {cardId !== null && (
          <FilterToggle label={`Card ${shortId(cardId)}`} isOn onChange={() => change({ cardId: null })} />
        )}
      </FilterBar>
      <IgnoredFilters parsers={inboxList.parsers} />
      <DataTable
        tableId="inbox"
        caption="Events"
        columns={columns}
        rows={data?.events}
        rowId={({ id }) => id}
        rowHref={({ id }) => inboxList.href({ ...params, open: id })}
        {...table}
        empty={
          isFiltered
            ? { title: 'No event matches these filters', actions: clearButton }
            : {
                title: 'No event has reached this console',
                body: 'Check the webhook health: a webhook has to lead here, and its deliveries have to succeed.',
                actions: <ButtonLink href={routes.webhooks(environment)}>Webhook health</ButtonLink>,
              }
        }
      />
      <EventWindow environment={environment} eventId={open} onClose={() => void setParams({ open: null })} />
    </div>
  )
}
