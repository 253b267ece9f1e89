import { type ReactNode, useMemo } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { recordHref } from '../operations/record-href.ts'
import { bulkItemColumns } from './bulk-item-columns.tsx'

/** One page of a job's rows, each of which leads to its record. `total` counts those of all pages. */
export function JobRows({
  detail: { job, columns: facts, items, prevPageToken, nextPageToken },
  total,
  isRefreshing,
  isBare,
  empty,
}: {
  detail: Pick<ReadResult<'readBulkJob'>, 'job' | 'columns' | 'items' | 'prevPageToken' | 'nextPageToken'>
  total: number
  isRefreshing: boolean
  isBare?: boolean
  empty: { title: string; actions?: ReactNode }
}) {
  const environment = useEnvironment()
  const { kind, approval } = job
  const columns = useMemo(() => bulkItemColumns({ kind, approval }, facts), [facts, kind, approval])
  return (
    <DataTable
      tableId={`bulk-rows-${kind.replace('.', '-')}`}
      caption="Rows of the job"
      columns={columns}
      rows={items}
      rowId={({ position }) => String(position)}
      rowHref={({ target }) => recordHref(environment, target)}
      isRefreshing={isRefreshing}
      isBare={isBare}
      paging={{ prevPageToken, nextPageToken, pageSize: 50 }}
      total={total}
      empty={empty}
    />
  )
}
