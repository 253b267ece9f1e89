import type { Attempted } from './transport.ts'

/** The result of an attempt at a receiver without a socket: 200, or 500. */
export function attempted(taken: boolean): Attempted {
  return taken ? { taken, status: 200, problem: null } : { taken, status: 500, problem: 'HTTP_STATUS' }
}
