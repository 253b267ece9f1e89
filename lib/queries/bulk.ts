import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BulkJobDetail, BulkJobPage } from '#lib/console/bulk/read.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

export type BulkListSearch = { state?: string | undefined; kind?: string | undefined; pageToken?: string | undefined }
export type BulkItemSearch = { state?: string | undefined; pageToken?: string | undefined }

export function bulkJobsQuery(environment: Environment, search: BulkListSearch = {}) {
  return queryOptions({
    queryKey: [environment, 'bulk-jobs', 'list', search],
    queryFn: ({ signal }) => readJson<BulkJobPage>(apiRoutes.bulkJobs(environment, search), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 1_000,
  })
}

/** A job with a page of its rows; while it goes on it is asked for also where no change is told. */
export function bulkJobQuery(environment: Environment, jobId: string, search: BulkItemSearch = {}) {
  return queryOptions({
    queryKey: [environment, 'bulk-jobs', 'detail', jobId, search],
    queryFn: ({ signal }) => readJson<BulkJobDetail>(apiRoutes.bulkJob(environment, jobId, search), signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && data.job.finishedAt === null ? 5_000 : false),
    retry: isWorthRetrying,
    staleTime: 500,
  })
}
