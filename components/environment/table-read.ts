import type { UseQueryResult } from '@tanstack/react-query'
import type { DataTableProps } from '#components/data-table/data-table.tsx'
import { readFailure } from './read-failure.ts'

type Page = { prevPageToken: string | null; nextPageToken: string | null }

/**
 * What a table is told of the read behind it: why it failed, the way out of that, the pages beside this one. With
 * `toFirstPage` a page that cannot be read is left for the first one.
 */
export function tableRead<Data extends Page>(
  { data, error, refetch }: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>,
  { what, pageSize, toFirstPage }: { what: string; pageSize: number; toFirstPage?: (() => void) | undefined },
): Pick<DataTableProps<never>, 'failure' | 'onRetry' | 'paging'> {
  return {
    failure: data ? null : readFailure(error, what),
    onRetry: toFirstPage ?? (() => void refetch()),
    paging: data && { prevPageToken: data.prevPageToken, nextPageToken: data.nextPageToken, pageSize },
  }
}
