import { pino } from 'pino'

const output = { write: (line: string) => void process.stdout.write(line) }
const logger = pino({ name: 'carddesk console', base: undefined }, output)

/** Logs what nobody foresaw: the root cause alone, since a query's parameters can be anything a person typed. */
export function logFailure(failure: unknown, where: Readonly<Record<string, string>>): void {
  let cause = failure
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  const { name, message, stack, code } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  logger.error({ ...where, error: { name, message, code, stack } }, 'unexpected failure')
}

/** A problem of next-auth's, by its code alone: what it carries besides may hold tokens. */
export function logSignIn(code: string): void {
  logger.warn({ code }, 'sign-in problem')
}
