import { BulkJobScreen } from '#components/bulk/bulk-job-screen.tsx'
import { bulkItemList } from '#components/bulk/bulk-labels.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readSearch } from '../../prefetch.tsx'

export const metadata = { title: 'Bulk job' }

export default page<'jobId'>(async ({ environment, jobId, search }) => {
  const filters = await readSearch(bulkItemList, search)
  return {
    here: routes.bulkJob(environment, jobId, search),
    reads: [read('readBulkJob', environment, jobId, filters)],
    screen: <BulkJobScreen jobId={jobId} />,
  }
})
