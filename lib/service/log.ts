import { pino } from 'pino'

const logger = pino({ name: 'carddesk service', base: undefined })

/** Logs what nobody foresaw. Only the root cause is written: a query's parameters can be anything a caller sent. */
export function logFailure(failure: unknown, where: Readonly<Record<string, string>>): void {
  const cause = rootCause(failure)
  const { name, message, stack, code } = cause as Partial<NodeJS.ErrnoException>
  logger.error({ ...where, error: { name, message, code, stack } }, 'unexpected failure')
}

/** The innermost error: the database driver's own, below what a query builder wrapped around it. */
export function rootCause(failure: unknown): unknown {
  let cause = failure
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  return cause
}
