/** SQLSTATEs of a transaction that PostgreSQL rolled back in favour of another one. */
const givenUp = new Set(['40001', '40P01'])

/**
 * SQLSTATEs and socket errors of a database that cannot serve a statement now, whatever the statement is: one of our time
 * limits ended it (57014 statement, 55P03 lock, 25P03 and 25P04 idle transaction), PostgreSQL stops or starts (57P01 to
 * 57P05), has no connection left (53300), or is not there.
 */
const unavailable =
  /^(57014|55P03|25P0[34]|57P0[1-5]|53300|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/
/** Errors of the driver, which have no code. */
const unavailableMessages = /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered)/i

/** No transaction slot of the pool became free in time. */
export class PoolBusy extends Error {
  constructor() {
    super('too many transactions are waiting for the database')
    this.name = 'PoolBusy'
  }
}

/** So many queries of one caller are running that the next got no turn in time. */
export class CallerBusy extends Error {
  constructor() {
    super('too many queries of this caller are running')
    this.name = 'CallerBusy'
  }
}

/** By name: a bundler may give each entry its own copy of the class. */
export function isCallerBusy(error: unknown): boolean {
  const cause = rootCause(error)
  return cause instanceof Error && cause.name === 'CallerBusy'
}

/** PostgreSQL gave the transaction up for another one: the same work may succeed when it is repeated. */
export function isGivenUp(error: unknown): boolean {
  return givenUp.has(codeOf(rootCause(error)))
}

/** The database could not do the work now: the same request may succeed later, and nothing of it was committed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = rootCause(error)
  if (cause instanceof PoolBusy) return true
  if (cause instanceof AggregateError) return cause.errors.some(isDatabaseUnavailable)
  return unavailable.test(codeOf(cause)) || (cause instanceof Error && unavailableMessages.test(cause.message))
}

/** The innermost error: the driver's own, below what the query builder wrapped around it. */
export function rootCause(failure: unknown): unknown {
  let cause = failure
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  return cause
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
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
