'use client'

import { Ban, Pause, Play } from 'lucide-react'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { WaitingRequest } from '#components/approvals/waiting-request.tsx'
import { ListFilters } from '#components/environment/list-parts.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { useListParams } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { DownloadButton } from '#components/export/download-button.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { tableOptions } from '#components/form/options.ts'
import { useAction } from '#components/operations/use-action.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import { readUrl } from '#lib/api/reads.ts'
import { roleName } from '#lib/auth/permissions.ts'
import { type BulkJob, isUnapproved } from '#lib/operations/bulk/types.ts'
import { type ReadResult } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { bulkItemList, formatHeadline, itemStateTable, jobLabel, rowsAhead, timeLeft } from './bulk-labels.ts'
import { BulkCounts, BulkMoneyLine, BulkProgress } from './bulk-progress.tsx'
import { RetryRows, UndoRows } from './job-follow-ups.tsx'
import { JobRows } from './job-rows.tsx'

const stateOptions = tableOptions(itemStateTable)

export function BulkJobScreen({ jobId }: { jobId: string }) {
  const environment = useEnvironment()
  const zone = usePageZone()
  const list = useListParams(bulkItemList)
  const { params, filter, clear, toFirstPage } = list
  const { data, error, refetch, isFetching, isPlaceholderData } = useRead(
    'readBulkJob',
    jobId,
    bulkItemList.toSearch(params, zone),
  )
  const failure = data ? null : readFailure(error, 'The bulk job')
  if (failure)
    return <ErrorState failure={failure} onRetry={toFirstPage ?? (() => void refetch())} isRetrying={isFetching} />
  if (!data) return <LoadingBlocks what="the bulk job" blocks={['h-7 w-64', 'h-36', 'h-80']} />
  const { job } = data
  return (
    <Page
      isDense
      title={job.title}
      badge={<StatusBadge {...jobLabel(job)} />}
      above={[{ label: 'Bulk jobs', href: routes.bulkJobs(environment) }]}
      subtitle={<StartedBy job={job} asOf={data.asOf} />}
      actions={
        <>
          <RetryRows detail={data} />
          <UndoRows detail={data} />
          <DownloadButton
            path={(zone) => readUrl('bulkResultCsv', environment, [job.id, { zone }])}
            label="Download results"
          />
        </>
      }
    >
      <Progress detail={data} />
      <ListFilters list={list}>
        <FilterSelect label="Result" {...filter('state')} options={stateOptions} />
      </ListFilters>
      <JobRows
        detail={data}
        total={params.state === null ? job.total : job.counts[params.state]}
        isRefreshing={isPlaceholderData}
        empty={{
          title: 'No row has this result',
          actions: <Button onClick={clear}>Show all rows</Button>,
        }}
      />
    </Page>
  )
}

/** Who asked for the job, and how that ended: a job that nobody approved was never started. */
function StartedBy({ job, asOf }: { job: BulkJob; asOf: string }) {
  const { by, approval, createdAt, finishedAt, reason } = job
  return (
    <>
      {isUnapproved(job) ? 'Requested' : 'Started'} by {by.name} ({roleName(by.role)}){' '}
      <Time instant={createdAt} isZoneShown />
      {approval?.state === 'approved' &&
        approval.by &&
        ` · approved by ${approval.by.name} (${roleName(approval.by.role)})`}
      {finishedAt === null ? (
        <>
          {' · '}as of <Time instant={asOf} format="time-seconds" isZoneShown />
        </>
      ) : (
        <>
          {' · '}
          {isUnapproved(job) ? jobLabel(job).label.toLowerCase() : 'ended'} <Time instant={finishedAt} />
        </>
      )}
      {reason && <span className="block wrap-anywhere">“{reason}”</span>}
    </>
  )
}

function Progress({ detail: { job, money, rowsPerSecond, rowMs } }: { detail: ReadResult<'readBulkJob'> }) {
  const isOver = job.finishedAt !== null
  const isWaitingForApproval = job.approval?.state === 'waiting'
  const hasControls = !isOver && (job.state === 'paused' || (job.state === 'running' && rowsAhead(job) > 0))
  const headline = useRef<HTMLHeadingElement>(null)
  const focusHeadline = useCallback(() => headline.current?.focus(), [])
  return (
    <Panel>
      <div className="grid gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 ref={headline} tabIndex={-1} className="text-md font-semibold outline-none">
              {formatHeadline(job)}
            </h2>
            <output className="sr-only">{jobLabel(job).label}</output>
            {!isWaitingForApproval && !isOver && (
              <p className="text-soft">{formatProgress(job, rowsPerSecond, timeLeft(job, rowsPerSecond, rowMs))}</p>
            )}
          </div>
          {hasControls && <BulkControls job={job} onOver={focusHeadline} />}
        </div>
        <BulkProgress job={job} />
        <BulkCounts job={job} />
        <BulkMoneyLine money={money} isOver={isOver} />
        {isWaitingForApproval ? (
          <Callout tone="info" title="Waiting for approval">
            <WaitingRequest approvalId={job.id} />
          </Callout>
        ) : (
          job.pausedBecause && (
            <Callout
              tone={job.state === 'cancelled' ? 'info' : 'warn'}
              title={job.state === 'running' ? 'Waiting.' : undefined}
            >
              {job.pausedBecause}
            </Callout>
          )
        )}
      </div>
    </Panel>
  )
}

/** The next step as a sentence. */
function formatProgress(job: BulkJob, rowsPerSecond: number, left: string | null): string {
  const { state } = job
  if (state === 'paused') return 'No further rows start until a person resumes it.'
  if (state === 'cancelled') return 'No new rows start. The current row finishes.'
  if (rowsAhead(job) === 0) return 'All rows were sent. Unknown outcomes are being checked.'
  const pace = formatCount(rowsPerSecond, 'row')
  return `One by one, ${pace} a second at most${left ? `: ${left}` : ''}. You can close this page.`
}

const CancelDialog = lazyDialog(() => import('./cancel-dialog.tsx').then((file) => file.CancelDialog))

/** Pause, resume and cancel, with the result of the last press where it is not the requested one. */
function BulkControls({
  job,
  onOver,
}: {
  job: BulkJob
  /** Nothing is left to be held back, and the focus was on one of the buttons, which are gone. */
  onOver: () => void
}) {
  const { denied } = usePermissions()
  const { isPending, problem, run } = useAction()
  const { open, opened } = useOpened()
  const buttons = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = buttons.current
    return () => {
      if (element?.contains(document.activeElement)) queueMicrotask(onOver)
    }
  }, [onOver])

  const notPermitted = denied(job.permission)
  const isPaused = job.state === 'paused'
  const control = isPaused ? 'resumeBulkJob' : 'pauseBulkJob'
  return (
    <div className="grid gap-2">
      <div ref={buttons} className="flex flex-wrap items-center gap-2">
        <Button
          variant={isPaused ? 'primary' : 'secondary'}
          icon={isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
          isPending={isPending}
          unavailable={
            notPermitted ?? (job.approval?.state === 'waiting' ? 'Waits for another person’s approval.' : undefined)
          }
          reason="described"
          onClick={() => void run(control, { jobId: job.id })}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        {rowsAhead(job) > 0 && (
          <Button
            variant="danger-quiet"
            icon={<Ban aria-hidden="true" />}
            unavailable={notPermitted}
            onClick={() => open({})}
          >
            Cancel job…
          </Button>
        )}
      </div>
      {problem && (
        <Callout tone="bad" title="Not done" isAlert>
          {problem.happened} {problem.next}
        </Callout>
      )}
      {opened && <CancelDialog key={opened.operationId} job={job} {...opened} />}
    </div>
  )
}
