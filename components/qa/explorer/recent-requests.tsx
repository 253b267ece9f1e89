'use client'

import { FlaskConical } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { RecordDrawer } from '#components/environment/record-drawer.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { toOptions } from '#components/form/options.ts'
import { LoggedBody, MethodLabel, StatusCode } from '#components/requests/exchange-parts.tsx'
import { RequestTitle } from '#components/requests/request-drawer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Time } from '#components/ui/time.tsx'
import type { LoggedExchange, LoggedRequest } from '#lib/qa/lab/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { useSandbox } from '../use-sandbox.ts'
import type { Prefill } from './draft.ts'
import { explorerParams } from './explorer-params.ts'

const columns: DataColumn<LoggedRequest>[] = [
  {
    id: 'path',
    header: 'Request',
    cell: ({ method, path }) => (
      <span className="inline-flex min-w-0 items-baseline gap-1 font-mono text-xs">
        <MethodLabel method={method} />
        <span className="truncate">{path}</span>
      </span>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusCode status={status} /> },
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) => code && <span className="font-mono text-xs">{code}</span>,
    priority: 3,
  },
  { id: 'duration', header: 'Duration', align: 'end', cell: ({ durationMs }) => `${durationMs} ms`, priority: 2 },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time instant={at} format="exact" />, priority: 2 },
]

/** The requests that the shared sandbox received under the console's access key, or one of its own under any, newest first. */
export function RecentRequests({
  onOpen,
}: {
  /** Fills the form of an endpoint with a request. */
  onOpen: (endpoint: string, prefill: Prefill) => void
}) {
  const environment = useEnvironment()
  const [params, setParams] = useQueryStates(explorerParams, { history: 'push' })
  const { method, failed, open } = params
  const { search } = useSandbox()
  const filters = { ...search, ...(method ? { method } : {}), ...(failed ? { failed } : {}) }
  const { data, error, refetch, isPlaceholderData } = useRead('listServiceRequests', filters)
  const active = [method, failed].filter((value) => value !== null).length
  const clear = () => void setParams({ method: null, failed: null })
  if (data && !data.isAvailable) {
    return (
      <EmptyState title="No request log" icon={<FlaskConical strokeWidth={1.5} />}>
        Only the built-in service logs its requests.
      </EmptyState>
    )
  }
  return (
    <div className="grid min-w-0 gap-4">
      <FilterBar list={{ active, clear }}>
        <FilterSelect
          label="Method"
          value={method}
          options={toOptions(['GET', 'POST'])}
          onChange={(value) => void setParams({ method: value as 'GET' | 'POST' | null })}
        />
        <FilterSelect
          label="Result"
          value={failed}
          options={[{ value: 'true', label: 'Errors' }]}
          onChange={(value) => void setParams({ failed: value as 'true' | null })}
        />
      </FilterBar>
      <DataTable
        tableId="service-requests"
        caption="Recent requests"
        columns={columns}
        rows={data?.requests}
        rowId={({ requestId }) => requestId}
        rowHref={({ requestId }) => `?${new URLSearchParams({ view: 'requests', ...filters, open: requestId })}`}
        failure={data ? null : readFailure(error, 'The request log')}
        onRetry={() => void refetch()}
        isRefreshing={isPlaceholderData}
        empty={
          active > 0
            ? { title: 'No request matches these filters', actions: <Button onClick={clear}>Clear filters</Button> }
            : { title: 'No requests yet' }
        }
      />
      <RecordDrawer
        openId={open}
        read={(requestId) => readQuery('readServiceRequest', environment, requestId, search)}
        what="The request"
        renderTitle={(request) => <RequestTitle request={request} />}
        renderFooter={({ prefill, requestBody }) =>
          prefill && (
            <Button
              variant="primary"
              icon={<FlaskConical />}
              onClick={() => onOpen(prefill.endpoint, { ...prefill, body: requestBody })}
            >
              Open in explorer
            </Button>
          )
        }
        onClose={() => void setParams({ open: null })}
      >
        {(request) => <RequestDetail request={request} />}
      </RecordDrawer>
    </div>
  )
}

function RequestDetail({ request }: { request: LoggedExchange }) {
  const { status, code, durationMs, at, requestId, idempotencyKey, path } = request
  const query = path.split('?').slice(1).join('?')
  return (
    <div className="grid gap-4">
      <FactList
        isFramed
        facts={[
          { label: 'Status', value: <StatusCode status={status} /> },
          code !== null && { label: 'Code', value: <code className="font-mono text-xs">{code}</code> },
          { label: 'Duration', value: `${durationMs} ms` },
          { label: 'Time', value: <Time instant={at} format="exact" isZoneShown /> },
          { label: 'Request ID', value: <IdText id={requestId} label="request ID" /> },
          idempotencyKey !== null && { label: 'Idempotency-Key', value: <IdText id={idempotencyKey} label="key" /> },
          query !== '' && {
            label: 'Query',
            value: <code className="font-mono text-xs wrap-anywhere">{query}</code>,
          },
        ]}
      />
      <LoggedBody title="Request body" text={request.requestBody} note={request.requestNote} />
      <LoggedBody title="Response body" text={request.responseBody} note={request.responseNote} />
    </div>
  )
}
