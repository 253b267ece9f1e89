import { pino } from 'pino'

const output = { write: (line: string) => void process.stdout.write(line) }
const logger = pino({ name: 'carddesk console', base: undefined }, output)

/** Logs an unexpected failure: only its root cause, since a query's parameters can be anything a person typed. */
export function logFailure(failure: unknown, where: Readonly<Record<string, string>>): void {
  logger.error({ ...where, error: describeRootCause(failure) }, 'unexpected failure')
}

/** A problem of next-auth's, only by its code: what it carries besides may hold tokens. */
export function logSignIn(code: string): void {
  logger.warn({ code }, 'sign-in problem')
}

/** Somebody without a session tried to get past a check; refused attempts of staff are in the audit log. */
export function logRefused(attempt: string, where: Readonly<Record<string, string | number>>): void {
  logger.warn(where, `refused: ${attempt}`)
}

/** The audit log does not hold. The message names the first entry or checkpoint that does not. */
export function logAuditBreak(message: string): void {
  logger.fatal({ audit: message }, 'the audit log was changed outside Carddesk')
}

/** Every stored secret is sealed with the new key, so that the previous one may be removed from the settings. */
export function logResealed(rows: number): void {
  logger.info({ rows }, 'everything is sealed with CONSOLE_SEALING_KEY: CONSOLE_SEALING_KEY_PREVIOUS may be removed')
}

type Described = { name?: string; message?: string; code?: string; stack?: string; codes?: (string | undefined)[] }

/** The innermost error with its code and frames, without any value of a query. */
function describeRootCause(failure: unknown): Described {
  let cause = failure
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  if (!(cause instanceof Error)) return { message: 'a value was thrown that is no error' }
  const { code, severity, table, constraint } = cause as Error & Partial<Record<string, string>>
  return {
    name: cause.name,
    message: cause.message.startsWith('Failed query') ? 'Failed query' : withoutValues(cause.message, severity, code),
    ...(code === undefined ? {} : { code }),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(cause instanceof AggregateError
      ? { codes: cause.errors.map((error: NodeJS.ErrnoException | undefined) => error?.code) }
      : {}),
    // A stack begins with the message.
    stack: (cause.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
  }
}

/**
 * PostgreSQL repeats values that it cannot read between double quotes: `invalid input syntax for type uuid: "…"`. In errors of
 * syntax (42) and constraints (23) the quotes hold names.
 */
function withoutValues(message: string, severity: string | undefined, code = ''): string {
  return severity === undefined || /^(?:23|42)/.test(code) ? message : message.replaceAll(/".*"/gs, '"…"')
}
