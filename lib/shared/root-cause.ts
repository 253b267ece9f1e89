/** The innermost error: the driver's own, below what the query builder wrapped around it. */
export function rootCause(failure: unknown): unknown {
  let cause = failure
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  return cause
}

/** The code of an error of Node, undici or PostgreSQL; empty where it has none. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

type Described = { name?: string; message?: string; code?: string; stack?: string; codes?: (string | undefined)[] }

/** The innermost error with its code and frames, for a log: without any value of a query. */
export function describeRootCause(failure: unknown): Described {
  const cause = rootCause(failure)
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
