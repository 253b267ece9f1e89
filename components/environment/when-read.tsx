import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '#components/ui/error-state.tsx'
import { type Blocks, LoadingBlocks } from '#components/ui/skeleton.tsx'
import { readFailure } from './read-failure.ts'

/** Shows what a read returned, its error with a way to try again, or placeholders while it loads. */
export function WhenRead<Data>({
  query: { data, error, refetch, isFetching },
  what,
  children,
  ...blocks
}: Blocks & {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>
  /** The subject of the error's sentence: "The card". */
  what: string
  children: (data: Data) => ReactNode
}) {
  if (data) return children(data)
  const failure = readFailure(error, what)
  if (failure) return <ErrorState failure={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
  return <LoadingBlocks what={`${what.charAt(0).toLowerCase()}${what.slice(1)}`} {...blocks} />
}
