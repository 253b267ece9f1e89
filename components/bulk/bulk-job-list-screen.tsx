'use client'

import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useListParams } from '#components/data-table/use-list-params.ts'
import { tableRead } from '#components/environment/table-read.ts'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { LimitsLink } from '#components/limits/limits-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { bulkJobColumns } from './bulk-job-columns.tsx'
import { jobStateTable, kindTable } from './bulk-labels.ts'
import { bulkListParams, bulkListSearch } from './bulk-params.ts'

const stateOptions = Object.entries(jobStateTable).map(([value, { label }]) => ({ value, label: label }))
const kindOptions = Object.entries(kindTable).map(([value, { label }]) => ({ value, label }))

export function BulkJobListScreen({ environment }: { environment: Environment }) {
  const { params, change, toFirstPage } = useListParams(bulkListParams)
  const list = useQuery(readQuery('listBulkJobs', environment, bulkListSearch(params)))
  const { data } = list
  const isFiltered = params.state !== null || params.kind !== null
  const clear = () => change({ state: null, kind: null })
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Bulk jobs"
        breadcrumbs={[{ label: 'Bulk jobs' }]}
        actions={<LimitsLink environment={environment} />}
        subtitle="What was done to many at once, one by one and with a result for each, newest first."
      />
      <FilterBar isFiltered={isFiltered} onClear={clear}>
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
      <IgnoredFilters parsers={bulkListParams} />
      <DataTable
        tableId="bulk-jobs"
        caption="Bulk jobs"
        columns={bulkJobColumns}
        rows={data?.jobs}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.bulkJob(environment, id)}
        {...tableRead(list, { what: 'The bulk jobs', pageSize: 25, toFirstPage })}
        isRefreshing={list.isPlaceholderData}
        empty={
          isFiltered
            ? { title: 'No job matches these filters', actions: <Button onClick={clear}>Clear filters</Button> }
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
