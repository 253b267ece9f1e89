import { errorCode, rootCause } from '#lib/shared/root-cause.ts'

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

/** So many reads of one person or access key are running that the next could not begin in time. */
export class CallerBusy extends Error {
  constructor() {
    super('too many reads of this person or key are running')
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
  return givenUp.has(errorCode(rootCause(error)))
}

/** The database could not do the work now: the same request may succeed later, and nothing of it was committed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = rootCause(error)
  if (cause instanceof PoolBusy) return true
  if (cause instanceof AggregateError) return cause.errors.some(isDatabaseUnavailable)
  return unavailable.test(errorCode(cause)) || (cause instanceof Error && unavailableMessages.test(cause.message))
}
