import { BulkJobScreen } from '#components/bulk/bulk-job-screen.tsx'
import { bulkItemSearch } from '#lib/api/bulk.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readSearch } from '../../prefetch.tsx'

export const metadata = { title: 'Bulk job' }

export default page<'jobId'>(async ({ environment, jobId, search }) => {
  const filters = await readSearch(bulkItemSearch, search)
  return {
    here: routes.bulkJob(environment, jobId, search),
    reads: [read('readBulkJob', environment, jobId, filters)],
    screen: <BulkJobScreen jobId={jobId} />,
  }
})
