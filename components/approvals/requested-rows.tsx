import { bulkItemList, formatHeadline } from '#components/bulk/bulk-labels.ts'
import { JobRows } from '#components/bulk/job-rows.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { useListParams } from '#components/environment/use-list.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { routes } from '#lib/shared/routes.ts'

/** The rows of the job that a request is for, so that who decides sees every record; once it began, what became of them. */
export function RequestedRows({ jobId }: { jobId: string }) {
  const environment = useEnvironment()
  const zone = usePageZone()
  const { params } = useListParams(bulkItemList)
  const query = useRead('readBulkJob', jobId, bulkItemList.toSearch(params, zone))
  const job = query.data?.job
  return (
    <Panel
      isFlush
      title="Rows"
      note={job?.approval?.state === 'approved' && formatHeadline(job)}
      actions={<ButtonLink href={routes.bulkJob(environment, jobId)}>View job</ButtonLink>}
    >
      <WhenRead query={query} what="The rows" blocks={['h-48']}>
        {(detail) => (
          <JobRows
            detail={detail}
            total={detail.job.total}
            isRefreshing={query.isPlaceholderData}
            isBare
            empty={{ title: 'No row has this result' }}
          />
        )}
      </WhenRead>
    </Panel>
  )
}
