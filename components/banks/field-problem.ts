import { ReadError } from '#lib/queries/read.ts'

/** The message for the field, where the console or the service refused its value with a code of the error table. */
export function fieldProblem(error: Error | null, codes: readonly string[]): string | undefined {
  if (!(error instanceof ReadError) || !codes.includes(error.code)) return undefined
  return error.requestId === null ? error.message : `${error.message} Request ${error.requestId}.`
}
