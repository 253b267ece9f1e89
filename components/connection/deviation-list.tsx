'use client'

import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useRead } from '#components/environment/use-environment.ts'
import { useListParams } from '#components/environment/use-list.tsx'
import { readFailure } from '#components/environment/when-read.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { count } from '#components/ui/count.ts'
import { IdText } from '#components/ui/id-text.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Time } from '#components/ui/time.tsx'
import type { RecordedDeviation } from '#lib/console/connection/types.ts'
import { deviationList } from './connection-text.ts'

const kindOptions = [
  { value: 'difference', label: 'Difference' },
  { value: 'unknown-field', label: 'Unknown field' },
]

const columns: DataColumn<RecordedDeviation>[] = [
  {
    id: 'path',
    header: 'JSON path',
    cell: ({ path }) => (
      <span className="block max-w-80 font-mono text-[0.92em] wrap-anywhere">{path || '(response)'}</span>
    ),
    below: ({ endpoint, expected, found }) => (
      <span className="block">
        {endpoint}
        <span className="block wrap-anywhere @min-[56rem]:hidden">
          Expected {expected}, found {found}
        </span>
      </span>
    ),
  },
  {
    id: 'expected',
    header: 'Expected',
    priority: 3,
    cell: ({ expected }) => <span className="block max-w-72 whitespace-normal wrap-anywhere">{expected}</span>,
  },
  {
    id: 'found',
    header: 'Found',
    priority: 3,
    cell: ({ found }) => <span className="block max-w-72 whitespace-normal wrap-anywhere">{found}</span>,
  },
  { id: 'count', header: 'Responses', align: 'end', cell: ({ count: responses }) => count.format(responses) },
  { id: 'first', header: 'First', priority: 4, cell: ({ firstAt }) => <Time instant={firstAt} /> },
  { id: 'last', header: 'Last', priority: 2, cell: ({ lastAt }) => <Time instant={lastAt} /> },
  {
    id: 'request',
    header: 'Last request',
    priority: 4,
    cell: ({ lastRequestId }) => <IdText id={lastRequestId} label="request ID" isCopyable={false} />,
    copy: ({ lastRequestId }) => (lastRequestId === null ? null : { text: lastRequestId, label: 'request ID' }),
  },
]

/** Where the responses of daily work differ from the contract, with filters that the URL keeps. */
export function DeviationTable() {
  const zone = usePageZone()
  const list = useListParams(deviationList)
  const { params, filter, isFiltered, clearButton } = list
  const { data, error, refetch, isPlaceholderData } = useRead('listDeviations', deviationList.toSearch(params, zone))
  return (
    <section aria-labelledby="deviations" className="grid min-w-0 gap-3">
      <div>
        <h2 id="deviations" className="font-medium">
          Recorded deviations
        </h2>
        <p className="text-soft">Differences found in daily work, newest first. Values aren’t stored.</p>
      </div>
      <FilterBar list={list}>
        <FilterSelect
          label="Endpoint"
          {...filter('endpoint')}
          options={(data?.endpoints ?? []).map((one) => ({ value: one.name, label: one.endpoint }))}
        />
        <FilterSelect label="Kind" {...filter('kind')} options={kindOptions} />
      </FilterBar>
      <DataTable
        tableId="deviations"
        caption="Recorded deviations"
        columns={columns}
        rows={data?.deviations}
        rowId={({ id }) => id}
        failure={data ? null : readFailure(error, 'The deviations')}
        onRetry={() => void refetch()}
        isRefreshing={isPlaceholderData}
        total={data?.total}
        empty={
          isFiltered
            ? { title: 'No deviation matches these filters', actions: clearButton }
            : { title: 'No deviations recorded', body: 'Differences between responses and the contract appear here.' }
        }
      />
    </section>
  )
}
