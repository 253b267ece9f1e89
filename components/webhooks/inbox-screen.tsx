'use client'

import { useQuery } from '@tanstack/react-query'
import { HeartPulse } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { tableParams } from '#components/data-table/table-params.ts'
import { readFailure } from '#components/environment/read-failure.ts'
import { ClearFilters } from '#components/filters/clear-filters.tsx'
import { FilterDay } from '#components/filters/filter-day.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { inboxQuery } from '#lib/queries/webhooks.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { EventWindow } from './event-window.tsx'
import { inboxColumns } from './inbox-columns.tsx'
import { InboxFigures } from './inbox-figures.tsx'
import { inboxFilters, type InboxParams, inboxParams, noInboxFilters } from './inbox-params.ts'

const kindOptions = [
  { value: 'unknown', label: 'unknown' },
  { value: 'waiting', label: 'waiting to be applied' },
  { value: 'duplicated', label: 'came more than once' },
]

export function InboxScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const [params, setParams] = useQueryStates({ ...inboxParams, from: tableParams.from }, { history: 'push' })
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    inboxQuery(environment, inboxFilters(params, zone)),
  )
  const columns = useMemo(() => inboxColumns(environment), [environment])
  const { event, account, card, kind, since, until, open } = params
  const isFiltered = [event, account, card, kind, since, until].some((value) => value !== null)
  const change = (changes: Parameters<typeof setParams>[0] & object) =>
    void setParams({ ...changes, pageToken: null, from: null })
  const clear = () => void setParams(noInboxFilters)

  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Event inbox"
        breadcrumbs={[{ label: 'Webhooks', href: routes.webhooks(environment) }, { label: 'Event inbox' }]}
        subtitle="What the service delivered to this console, newest first. Each event is a hint: the truth is read back from the service."
        actions={
          <ButtonLink href={routes.webhooks(environment)} icon={<HeartPulse />}>
            Webhook health
          </ButtonLink>
        }
      />
      {data ? <InboxFigures figures={data.figures} /> : <Skeleton className="h-28 w-full rounded-panel" />}
      <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
        <legend className="sr-only">Filters</legend>
        <FilterSelect
          label="Event"
          value={event}
          options={(data?.names ?? []).map((name) => ({ value: name, label: name }))}
          onChange={(value) => change({ event: value })}
        />
        <FilterSelect
          label="Kind"
          value={kind}
          options={kindOptions}
          onChange={(value) => change({ kind: value as InboxParams['kind'] as typeof kind })}
        />
        <FilterDay label="From" value={since} onChange={(day) => change({ since: day })} />
        <FilterDay label="to" zone={zone.label} value={until} onChange={(day) => change({ until: day })} />
        {account !== null && (
          <FilterToggle label={`Account ${shortId(account)}`} isOn onChange={() => change({ account: null })} />
        )}
        {card !== null && <FilterToggle label={`Card ${shortId(card)}`} isOn onChange={() => change({ card: null })} />}
        <ClearFilters isShown={isFiltered} onClear={clear} />
      </fieldset>
      <IgnoredFilters parsers={inboxParams} />
      <DataTable
        tableId="inbox"
        caption="Events"
        columns={columns}
        rows={data?.events}
        rowId={({ id }) => id}
        rowHref={({ id }) => `?${addressOf(params, id)}`}
        failure={data ? null : readFailure(error, 'The inbox')}
        onRetry={() => (params.pageToken ? void setParams({ pageToken: null, from: null }) : void refetch())}
        isRefreshing={isPlaceholderData || (isFetching && data === undefined)}
        paging={data && { prevPageToken: data.prevPageToken, nextPageToken: data.nextPageToken, pageSize: 50 }}
        empty={
          isFiltered
            ? { title: 'No event matches these filters', actions: <Button onClick={clear}>Clear filters</Button> }
            : {
                title: 'No event has reached this console',
                body: 'Look at the webhook health: a webhook has to lead here, and its deliveries have to succeed.',
                actions: <ButtonLink href={routes.webhooks(environment)}>Webhook health</ButtonLink>,
              }
        }
      />
      <EventWindow environment={environment} eventId={open} onClose={() => void setParams({ open: null })} />
    </div>
  )
}

/** The address of this very list with an event opened. */
function addressOf(params: InboxParams & { from: number }, open: string): string {
  const { from, ...kept } = params
  const entries = Object.entries({ ...kept, ...(kept.pageToken ? { from: String(from) } : {}), open })
  return new URLSearchParams(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  ).toString()
}
