import { HydrationBoundary } from '@tanstack/react-query'
import { BulkJobScreen } from '#components/bulk/bulk-job-screen.tsx'
import { bulkItemList } from '#components/bulk/bulk-labels.ts'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read, searchOf } from '../../prefetch.ts'

export const metadata = { title: 'Bulk job' }

export default async function BulkJobPage({ params, searchParams }: PageProps<'/[environment]/bulk-jobs/[jobId]'>) {
  const { environment: named, jobId } = await params
  const environment = environmentOf(named)
  const search = await searchOf(bulkItemList, searchParams)
  const state = await prefetch(
    routes.bulkJob(environment, jobId, await searchParams),
    read('readBulkJob', environment, jobId, search),
  )
  return (
    <HydrationBoundary state={state}>
      <BulkJobScreen environment={environment} jobId={jobId} />
    </HydrationBoundary>
  )
}
