'use client'

import { parseAsInteger } from 'nuqs/server'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { FilterToggle, LinkedFilter } from '#components/filters/filter-toggle.tsx'
import { defineListParams } from '#components/filters/list-params.ts'
import { toOptions } from '#components/form/options.ts'
import { lazyDialog } from '#components/ui/dialog.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Time } from '#components/ui/time.tsx'
import { requestSearch } from '#lib/api/requests.ts'
import type { ServiceRequest } from '#lib/console/requests/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { MethodLabel, StatusCode } from './exchange-parts.tsx'

/** `open` is the request whose bodies are shown. */
const requestList = defineListParams(requestSearch, { open: parseAsInteger })

const RequestWindow = lazyDialog(() => import('./request-drawer.tsx').then((file) => file.RequestDrawer))

const columns: DataColumn<ServiceRequest>[] = [
  {
    id: 'path',
    header: 'Request',
    cell: ({ method, path }) => (
      <span className="inline-flex max-w-96 min-w-0 items-baseline gap-1 font-mono text-xs 2xl:max-w-160">
        <MethodLabel method={method} />
        <span className="line-clamp-2 wrap-anywhere">{path}</span>
      </span>
    ),
    below: ({ isBackground, operationId, at }) => (
      <>
        {isBackground ? 'Background' : operationId ? 'Operation' : null}
        <Time instant={at} format="exact" className="block @min-[40rem]:hidden" />
      </>
    ),
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

const names = { what: 'The request log', noun: 'request', tableId: 'requests', caption: 'API requests' }

/** The requests that Carddesk made to the API, newest first. */
export function RequestsScreen() {
  const environment = useEnvironment()
  const list = useList(requestList, (search) => readQuery('listRequests', environment, search), names)
  const { params, setParams, filter, toggle, data } = list
  const { open } = params
  return (
    <Page isDense title="API requests" subtitle="Requests to the card service, newest first. Deleted after 30 days.">
      <ListFilters list={list}>
        <FilterText label="Request ID" isMono {...filter('requestId')} />
        <FilterSelect label="Method" {...filter('method')} options={toOptions(['GET', 'POST'])} />
        <FilterSelect label="Result" {...filter('failed')} options={[{ value: 'true', label: 'Errors' }]} />
        <FilterToggle label="Background requests" {...toggle('background', 'true')} />
        <LinkedFilter label="Operation:" {...filter('operationId')} />
      </ListFilters>
      <ListTable
        list={list}
        columns={columns}
        rows={data?.requests}
        rowId={({ id }) => String(id)}
        rowHref={({ id }) => requestList.href({ ...params, open: id })}
        none={{ title: 'No requests yet', body: 'Requests to the card service are listed here within a second.' }}
      />
      <RequestWindow openId={open} onClose={() => void setParams({ open: null })} />
    </Page>
  )
}
