'use client'

import { lazy, Suspense, useState } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { refuseCardNumber } from '#components/filters/refuse-card-number.ts'
import { MethodLabel } from '#components/lab/explorer/endpoint-list.tsx'
import { StatusCode } from '#components/lab/explorer/exchange-panels.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ServiceRequest } from '#lib/console/requests/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { requestList } from './requests-params.ts'

const RequestWindow = lazy(() =>
  import('./request-window.tsx').then(({ RequestWindow }) => ({ default: RequestWindow })),
)

const columns: DataColumn<ServiceRequest>[] = [
  {
    id: 'path',
    header: 'Request',
    cell: ({ method, path }) => (
      <span className="inline-flex max-w-96 min-w-0 items-baseline gap-1 font-mono text-xs">
        <MethodLabel method={method} />
        <span className="line-clamp-2 wrap-anywhere">{path}</span>
      </span>
    ),
    below: ({ isBackground, operationId }) => (isBackground ? 'Background' : operationId ? 'Operation' : null),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <StatusCode status={status} />,
    below: ({ code }) => code && <span className="font-mono wrap-anywhere">{code}</span>,
  },
  { id: 'duration', header: 'Duration', align: 'end', cell: ({ durationMs }) => `${durationMs} ms`, priority: 2 },
  { id: 'attempts', header: 'Attempts', align: 'end', cell: ({ attempts }) => attempts, priority: 3 },
  {
    id: 'requestId',
    header: 'Request ID',
    cell: ({ requestId }) => <IdText id={requestId} label="request ID" />,
    priority: 3,
  },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time instant={at} format="exact" />, priority: 2 },
]

/** The requests that Carddesk made to the API, newest first. */
export function RequestsScreen({ environment }: { environment: Environment }) {
  const list = useListParams(requestList)
  const { params, setParams, isFiltered, change, clearButton, toFirstPage } = list
  const { requestId, operationId, method, failed, background, open } = params
  const { data, table } = useListRead(
    readQuery('listRequests', environment, requestList.searchOf(params, usePageZone())),
    { what: 'The request log', pageSize: 50, toFirstPage },
  )
  const [wasOpened, setWasOpened] = useState(open !== null)
  if (open !== null && !wasOpened) setWasOpened(true)
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="API requests"
        breadcrumbs={[{ label: 'API requests' }]}
        subtitle="Requests from Carddesk to the API, newest first. Deleted after 30 days."
      />
      <FilterBar list={list}>
        <FilterText
          label="Request ID"
          isMono
          value={requestId}
          problem={refuseCardNumber}
          onChange={(value) => change({ requestId: value })}
        />
        <FilterSelect
          label="Method"
          value={method}
          options={['GET', 'POST'].map((value) => ({ value, label: value }))}
          onChange={(value) => change({ method: value })}
        />
        <FilterSelect
          label="Result"
          value={failed}
          options={[{ value: 'true', label: 'Errors' }]}
          onChange={(value) => change({ failed: value })}
        />
        <FilterToggle
          label="Background requests"
          isOn={background !== null}
          onChange={(isOn) => change({ background: isOn ? 'true' : null })}
        />
        {operationId !== null && (
          <FilterToggle
            label={`Operation: ${shortId(operationId)}`}
            isOn
            onChange={() => change({ operationId: null })}
          />
        )}
      </FilterBar>
      <IgnoredFilters parsers={requestList.parsers} />
      <DataTable
        tableId="requests"
        caption="API requests"
        columns={columns}
        rows={data?.requests}
        rowId={({ id }) => String(id)}
        rowHref={({ id }) => requestList.href({ ...params, open: id })}
        {...table}
        empty={
          isFiltered
            ? { title: 'No request matches these filters', actions: clearButton }
            : { title: 'No requests yet', body: 'Requests to the API are listed here within a second.' }
        }
      />
      <Suspense fallback={null}>
        {wasOpened && (
          <RequestWindow environment={environment} id={open} onClose={() => void setParams({ open: null })} />
        )}
      </Suspense>
    </div>
  )
}
