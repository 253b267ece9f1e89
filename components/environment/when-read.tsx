import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, type Failure } from '#components/ui/error-state.tsx'
import { LoadingBlocks, type Blocks } from '#components/ui/skeleton.tsx'
import { ReadError } from '#lib/queries/read.ts'
import { withoutCapital } from '#lib/shared/texts.ts'

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
  return <LoadingBlocks what={withoutCapital(what)} {...blocks} />
}

/** Codes that add nothing to the message, which names the endpoint. */
const hiddenCodes: readonly string[] = ['UNEXPECTED', 'SERVICE_REFUSED', 'SERVICE_UNREACHABLE']

/** A failed read as text: the console's sentence, its code, and the request ID. A read never changes anything. */
export function readFailure(error: Error | null, what: string): Failure | null {
  if (error === null) return null
  if (!(error instanceof ReadError)) return { title: `${what} could not be read.` }
  return {
    title: `${what} could not be read.`,
    detail: hiddenCodes.includes(error.code) ? error.message : `${error.message} (${error.code})`,
    requestId: error.requestId,
  }
}

/** The message for the field, where the console or the service refused its value with a code of the error table. */
export function fieldProblem(error: Error | null, codes: readonly string[]): string | undefined {
  if (!(error instanceof ReadError) || !codes.includes(error.code)) return undefined
  return error.requestId === null ? error.message : `${error.message} Request ${error.requestId}.`
}
