import { BulkJobListScreen } from '#components/bulk/bulk-job-list-screen.tsx'
import { bulkJobSearch } from '#lib/api/bulk.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Bulk jobs' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'bulk-jobs', routes.bulkJobs(environment), search)
  const filters = await readSearch(bulkJobSearch, search)
  return {
    here: routes.bulkJobs(environment, search),
    reads: [read('listBulkJobs', environment, filters)],
    screen: <BulkJobListScreen />,
  }
})
