import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '#components/ui/error-state.tsx'
import { readFailure } from './read-failure.ts'

/** What a read found, or why it could not be read with the way to try again, or its place while it is on its way. */
export function WhenRead<Data>({
  query: { data, error, refetch, isFetching },
  what,
  skeleton,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>
  /** Begins the sentence that says what could not be read. */
  what: string
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}) {
  if (data) return children(data)
  const failure = readFailure(error, what)
  if (failure) return <ErrorState failure={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
  return skeleton
}
