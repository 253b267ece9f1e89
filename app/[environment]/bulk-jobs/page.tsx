import { HydrationBoundary } from '@tanstack/react-query'
import { BulkJobListScreen } from '#components/bulk/bulk-job-list-screen.tsx'
import { bulkJobList } from '#components/bulk/bulk-labels.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, prefetch, read, searchOf } from '../prefetch.ts'

export const metadata = { title: 'Bulk jobs' }

export default async function BulkJobsPage({ params, searchParams }: PageProps<'/[environment]/bulk-jobs'>) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'bulk-jobs', routes.bulkJobs(environment), searchParams)
  const search = await searchOf(bulkJobList, searchParams)
  const state = await prefetch(
    routes.bulkJobs(environment, await searchParams),
    read('listBulkJobs', environment, search),
  )
  return (
    <HydrationBoundary state={state}>
      <BulkJobListScreen environment={environment} />
    </HydrationBoundary>
  )
}
