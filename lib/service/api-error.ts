import type { ErrorCode } from '#lib/contract/errors.ts'
import { fail } from '#lib/shared/result.ts'

/**
 * A request that is refused for a reason the interface has a code for. Thrown anywhere below the kernel: the transaction
 * is rolled back, and the caller gets the code with the status of the error table.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Headers of the response, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.headers = headers
  }
}

/** Returns an `ApiError` as a value, for steps that run after one has failed. Throws every other error. */
export function errorOrThrow(error: unknown): { ok: false; error: ApiError } {
  if (error instanceof ApiError) return fail(error)
  throw error
}
