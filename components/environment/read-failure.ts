import type { Failure } from '#components/ui/error-state.tsx'
import { ReadError } from '#lib/queries/read.ts'

/** A failed read in words: the console's sentence, its code, and the request id. A read never changes anything. */
export function readFailure(error: Error | null, what: string): Failure | null {
  if (error === null) return null
  if (!(error instanceof ReadError)) return { title: `${what} could not be read.` }
  return {
    title: `${what} could not be read.`,
    detail: error.code === 'UNEXPECTED' ? error.message : `${error.message} (${error.code})`,
    requestId: error.requestId,
  }
}
