import 'server-only'
import { randomUUID } from 'node:crypto'
import { unstable_rethrow as rethrowSignal } from 'next/navigation'
import { isAppError } from './app-error.ts'
import { logFailure } from './log.ts'
import { currentRequestContext } from './request-context.ts'
import { errorCode, rootCause } from './root-cause.ts'

const bareFailures = new WeakSet<object>()

/**
 * Runs a function that Next calls directly: a server action, a page's read, sign-in. Next logs every error in full, and
 * a database error holds the parameters of its query. So the root cause is logged here, and an error with nothing but its
 * code is thrown instead. `AppError`s and Next's own signals (redirect, not found) pass.
 */
export async function withSanitizedErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    rethrowSignal(error)
    const hasCallerLeft = currentRequestContext()?.signal.aborted === true
    if (hasCallerLeft || isAppError(error) || (error instanceof Error && bareFailures.has(error))) throw error
    const requestId = randomUUID()
    logFailure(error, { requestId })
    const bare = Object.assign(new Error(`The console failed. Its log has the cause under ${requestId}.`), {
      code: errorCode(rootCause(error)),
    })
    bareFailures.add(bare)
    throw bare
  }
}
