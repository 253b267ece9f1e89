'use client'

import { ListChecks } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { SavedViews } from '#components/environment/saved-views.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect, optionsOf } from '#components/filters/filter-select.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { LimitsLink } from '#components/limits/limits-link.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Time } from '#components/ui/time.tsx'
import type { BulkJob } from '#lib/console/bulk/shapes.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { JobBadge } from './bulk-badges.tsx'
import { jobStateTable, kindTable, headlineOf } from './bulk-labels.ts'
import { bulkJobList } from './bulk-params.ts'
import { BulkProgress } from './bulk-progress.tsx'

const bulkJobColumns: DataColumn<BulkJob>[] = [
  {
    id: 'title',
    header: 'Job',
    cell: ({ title }) => <span className="wrap-anywhere">{title}</span>,
    below: ({ kind, reason }) => <span className="line-clamp-1 wrap-anywhere">{reason ?? kindTable[kind].label}</span>,
  },
  { id: 'state', header: 'State', cell: (job) => <JobBadge job={job} /> },
  {
    id: 'progress',
    header: 'Progress',
    priority: 2,
    cell: (job) => (
      <div className="grid max-w-80 min-w-40 gap-1 py-1.5">
        <span className="text-xs text-soft">{headlineOf(job)}</span>
        <BulkProgress job={job} isThin />
      </div>
    ),
  },
  {
    id: 'by',
    header: 'Started by',
    priority: 3,
    cell: ({ by }) => <span className="wrap-anywhere">{by.name}</span>,
    below: ({ by }) => roleNames[by.role],
  },
  {
    id: 'started',
    header: 'Started',
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

const stateOptions = optionsOf(jobStateTable)
const kindOptions = optionsOf(kindTable)

export function BulkJobListScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const list = useListParams(bulkJobList)
  const { params, isFiltered, change, clearButton, toFirstPage } = list
  const { data, table } = useListRead(readQuery('listBulkJobs', environment, bulkJobList.searchOf(params, zone)), {
    what: 'The bulk jobs',
    pageSize: 25,
    toFirstPage,
  })
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Bulk jobs"
        breadcrumbs={[{ label: 'Bulk jobs' }]}
        actions={<LimitsLink environment={environment} />}
        subtitle="Many changes in one job, with a result for each row. Newest first."
      />
      <FilterBar list={list} columnChooser={<SavedViews environment={environment} list="bulk-jobs" />}>
        <FilterSelect
          label="State"
          value={params.state}
          options={stateOptions}
          onChange={(state) => change({ state })}
        />
        <FilterSelect
          label="What"
          allLabel="anything"
          value={params.kind}
          options={kindOptions}
          onChange={(kind) => change({ kind })}
        />
      </FilterBar>
      <IgnoredFilters parsers={bulkJobList.parsers} />
      <DataTable
        tableId="bulk-jobs"
        caption="Bulk jobs"
        columns={bulkJobColumns}
        rows={data?.jobs}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.bulkJob(environment, id)}
        {...table}
        empty={
          isFiltered
            ? { title: 'No job matches these filters', actions: clearButton }
            : {
                title: 'There are no bulk jobs yet',
                icon: <ListChecks strokeWidth={1.5} />,
                body: 'Choose several fees to waive them together, or set limits by CSV. Each job then shows here how far it is.',
              }
        }
      />
    </div>
  )
}
