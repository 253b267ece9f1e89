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
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { EventWindow } from './event-window.tsx'
import { inboxColumns } from './inbox-columns.tsx'
import { InboxFigures } from './inbox-figures.tsx'
import { inboxList } from './inbox-params.ts'

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
