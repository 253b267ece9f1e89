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

/** An issue with one field of a request. `code` is set where it is not INVALID_PARAMETERS. */
export type FieldIssue = { path: string; message: string; code?: ErrorCode | undefined }

const namedAtMost = 100

/** Returns one error for all issues of a request, each listed once. Its code is that of the first issue with a code. */
export function errorOfIssues(
  issues: readonly FieldIssue[],
  code: ErrorCode = issues.find((issue) => issue.code)?.code ?? 'INVALID_PARAMETERS',
): ApiError {
  const named = [...new Set(issues.map(({ path, message }) => `${path}: ${message}`))]
  const more = named.length > namedAtMost ? [`and ${named.length - namedAtMost} more`] : []
  return new ApiError(code, [...named.slice(0, namedAtMost), ...more].join('; '))
}

/** Whether the field, or one that contains it, already has an issue. */
export function isWithin(path: string, wrong: ReadonlySet<string>): boolean {
  const parts = path.split('.')
  return parts.some((_, at) => wrong.has(parts.slice(0, at + 1).join('.')))
}
