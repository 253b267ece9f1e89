import { ReadError } from '#lib/queries/read.ts'

/** The sentence that belongs at the field: where the console or the service refused what was entered with such a code. */
export function fieldProblem(error: Error | null, codes: readonly string[]): string | undefined {
  if (!(error instanceof ReadError) || !codes.includes(error.code)) return undefined
  return error.requestId === null ? error.message : `${error.message} Request ${error.requestId}.`
}
