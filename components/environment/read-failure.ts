import type { Failure } from '#components/ui/error-state.tsx'
import { ReadError } from '#lib/queries/read.ts'

/** Codes that add nothing to the message, which names the endpoint. */
const hiddenCodes: readonly string[] = ['UNEXPECTED', 'SERVICE_REFUSED']

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
