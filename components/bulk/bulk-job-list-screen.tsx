'use client'

import { ListChecks } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { tableOptions } from '#components/form/options.ts'
import { LimitsLink } from '#components/limits/limit-buttons.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Page } from '#components/ui/page.tsx'
import { Time } from '#components/ui/time.tsx'
import { roleName } from '#lib/auth/permissions.ts'
import type { BulkJob } from '#lib/operations/bulk/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { bulkJobList, formatHeadline, jobLabel, jobStateTable, kindTable } from './bulk-labels.ts'
import { BulkProgress } from './bulk-progress.tsx'

const bulkJobColumns: DataColumn<BulkJob>[] = [
  {
    id: 'title',
    header: 'Job',
    cell: ({ title }) => <span className="wrap-anywhere">{title}</span>,
    below: ({ kind, reason }) => <span className="line-clamp-1 wrap-anywhere">{reason ?? kindTable[kind].label}</span>,
  },
  { id: 'state', header: 'State', cell: (job) => <StatusBadge {...jobLabel(job)} /> },
  {
    id: 'progress',
    header: 'Progress',
    priority: 2,
    cell: (job) => (
      <div className="grid max-w-80 min-w-40 gap-1 py-1.5">
        <span className="text-xs text-soft">{formatHeadline(job)}</span>
        <BulkProgress job={job} isThin />
      </div>
    ),
  },
  {
    id: 'by',
    header: 'Requested by',
    priority: 3,
    cell: ({ by }) => <span className="wrap-anywhere">{by.name}</span>,
    below: ({ by }) => roleName(by.role),
  },
  {
    id: 'started',
    header: 'Requested',
    priority: 3,
    cell: ({ createdAt }) => <Time instant={createdAt} className="text-soft" />,
  },
  {
    id: 'finished',
    header: 'Ended',
    priority: 4,
    cell: ({ finishedAt }) =>
      finishedAt ? (
        <Time instant={finishedAt} className="text-soft" />
      ) : (
        <span className="text-faint">not finished</span>
      ),
  },
]

const stateOptions = tableOptions(jobStateTable)
const kindOptions = tableOptions(kindTable)

const names = { what: 'The bulk jobs', noun: 'job', tableId: 'bulk-jobs', caption: 'Bulk jobs', pageSize: 25 }

export function BulkJobListScreen() {
  const environment = useEnvironment()
  const list = useList(bulkJobList, (search) => readQuery('listBulkJobs', environment, search), names)
  const { data, filter } = list
  return (
    <Page
      isDense
      title="Bulk jobs"
      actions={<LimitsLink />}
      subtitle="Many changes in one job, with a result for each row. Newest first."
    >
      <ListFilters list={list} views={<ListViews list="bulk-jobs" />}>
        <FilterSelect label="State" {...filter('state')} options={stateOptions} />
        <FilterSelect label="Action" {...filter('kind')} options={kindOptions} />
      </ListFilters>
      <ListTable
        list={list}
        columns={bulkJobColumns}
        rows={data?.jobs}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.bulkJob(environment, id)}
        none={{
          title: 'No bulk jobs yet',
          icon: <ListChecks strokeWidth={1.5} />,
          body: 'Waive several fees at once, or set limits by CSV. Each job appears here with its progress.',
        }}
      />
    </Page>
  )
}
