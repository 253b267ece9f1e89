import type { ErrorCode } from '#lib/contract/errors.ts'
import { ApiError } from './api-error.ts'

/** What is wrong with one field of a request. `code` where it is not INVALID_PARAMETERS. */
export type FieldIssue = { path: string; message: string; code?: ErrorCode | undefined }

const namedAtMost = 100

/** One error for all issues of a request, each listed once, under the code that one of them has of its own. */
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
