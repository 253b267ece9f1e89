'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { WaitingRequest } from '#components/approvals/waiting-request.tsx'
import { DataTable } from '#components/data-table/data-table.tsx'
import { readFailure } from '#components/environment/read-failure.ts'
import { useListParams } from '#components/environment/use-list.tsx'
import { DownloadButton } from '#components/export/download-button.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect, optionsOf } from '#components/filters/filter-select.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { LeftOverLink } from '#components/limits/left-over-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import type { BulkJob } from '#lib/console/bulk/shapes.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import { readQuery, type ReadResult } from '#lib/queries/reads.ts'
import { apiRoutes, type Environment, routes } from '#lib/shared/routes.ts'
import { JobBadge } from './bulk-badges.tsx'
import { BulkControls } from './bulk-controls.tsx'
import { bulkItemColumns, hrefOf } from './bulk-item-columns.tsx'
import { headlineOf, itemStateTable, jobLabel, kindTable, timeLeft } from './bulk-labels.ts'
import { bulkItemList } from './bulk-params.ts'
import { BulkCounts, BulkMoneyLine, BulkProgress } from './bulk-progress.tsx'

const stateOptions = optionsOf(itemStateTable)
const noColumns: never[] = []

export function BulkJobScreen({ environment, jobId }: { environment: Environment; jobId: string }) {
  const zone = usePageZone()
  const list = useListParams(bulkItemList)
  const { params, change, clear, toFirstPage } = list
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(
    readQuery('readBulkJob', environment, jobId, bulkItemList.searchOf(params, zone)),
  )
  const facts = data?.columns ?? noColumns
  const doneOne = data && kindTable[data.job.kind].doneOne
  const columns = useMemo(() => bulkItemColumns(facts, doneOne ?? 'Done'), [facts, doneOne])
  const failure = data ? null : readFailure(error, 'The bulk job')
  if (failure)
    return <ErrorState failure={failure} onRetry={toFirstPage ?? (() => void refetch())} isRetrying={isFetching} />
  if (!data) return <JobSkeleton />
  const { job, items, prevPageToken, nextPageToken } = data
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title={<span className="wrap-anywhere">{job.title}</span>}
        badge={<JobBadge job={job} />}
        breadcrumbs={[{ label: 'Bulk jobs', href: routes.bulkJobs(environment) }, { label: job.title }]}
        subtitle={<StartedBy job={job} asOf={data.asOf} />}
        actions={
          <>
            <LeftOverLink job={job} />
            <DownloadButton
              path={(zone) => apiRoutes.bulkJobCsv(environment, job.id, { zone })}
              label="Download results"
            />
          </>
        }
      />
      <Progress detail={data} />
      <FilterBar list={list}>
        <FilterSelect
          label="Result"
          value={params.state}
          options={stateOptions}
          onChange={(state) => change({ state })}
        />
      </FilterBar>
      <IgnoredFilters parsers={bulkItemList.parsers} />
      <DataTable
        tableId={`bulk-rows-${job.kind.replace('.', '-')}`}
        caption="Rows of the job"
        columns={columns}
        rows={items}
        rowId={({ position }) => String(position)}
        rowHref={(item) => hrefOf(environment, item)}
        isRefreshing={isPlaceholderData}
        paging={{ prevPageToken, nextPageToken, pageSize: 50 }}
        total={params.state === null ? job.total : job.counts[params.state]}
        empty={{
          title: 'No row has this result',
          actions: <Button onClick={clear}>Show all rows</Button>,
        }}
      />
    </div>
  )
}

function StartedBy({ job, asOf }: { job: BulkJob; asOf: string }) {
  const { by, createdAt, finishedAt, reason } = job
  return (
    <>
      Started by {by.name} ({roleNames[by.role]}) <Time instant={createdAt} format="date-time" isZoneShown />
      {finishedAt === null ? (
        <>
          {' · '}as of <Time instant={asOf} format="time-seconds" isZoneShown />
        </>
      ) : (
        <>
          {' · '}ended <Time instant={finishedAt} format="date-time" />
        </>
      )}
      {reason && <span className="block wrap-anywhere">“{reason}”</span>}
    </>
  )
}

function Progress({
  detail: { job, money, rowsPerSecond, isWaitingForApproval },
}: {
  detail: ReadResult<'readBulkJob'>
}) {
  return (
    <Panel>
      <div className="grid gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 className="text-md font-semibold">{headlineOf(job)}</h2>
            <output className="sr-only">{jobLabel(job).label}</output>
            {!isWaitingForApproval && <p className="text-soft">{courseOf(job, rowsPerSecond)}</p>}
          </div>
          <BulkControls job={job} isWaitingForApproval={isWaitingForApproval} />
        </div>
        <BulkProgress job={job} />
        <BulkCounts job={job} />
        <BulkMoneyLine money={money} isOver={job.finishedAt !== null} />
        {isWaitingForApproval ? (
          <Callout tone="info" title="Waiting for approval">
            <WaitingRequest environment={job.environment} approvalId={job.id} />
          </Callout>
        ) : (
          job.pausedBecause && (
            <Callout
              tone={job.state === 'cancelled' ? 'info' : 'warn'}
              {...(job.state === 'running' ? { title: 'It waits.' } : {})}
            >
              {job.pausedBecause}
            </Callout>
          )
        )}
      </div>
    </Panel>
  )
}

/** What happens next, in a sentence. */
function courseOf(job: BulkJob, rowsPerSecond: number): string {
  const { state, finishedAt, counts } = job
  if (finishedAt !== null) return 'Finished.'
  if (state === 'paused') return 'No further rows start until a person resumes it.'
  if (state === 'cancelled') return 'No new rows start. The current row finishes.'
  if (counts.waiting + counts.running === 0) return 'Every row was sent. What is not known yet is being settled.'
  const left = timeLeft(job, rowsPerSecond)
  const pace = rowsPerSecond === 1 ? '1 row' : `${rowsPerSecond} rows`
  return `One by one, ${pace} a second at most${left ? `: ${left}` : ''}. You can close this page.`
}

function JobSkeleton() {
  return (
    <div className="grid gap-4">
      <Loading what="the bulk job" />
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-36 w-full rounded-panel" />
      <Skeleton className="h-80 w-full rounded-panel" />
    </div>
  )
}
