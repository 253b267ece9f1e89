import { minuteCounter } from '../desk/minute-counter.ts'

const count = minuteCounter('carddeskEmbedRequests')

/** What embeds may do in a minute, each process of the console counting for itself. */
export const embedLimits = {
  /** Reads of one object through the tokens of one creator: a view polls 20 times. */
  reads: 120,
  /** Requests of one IP address with a token or key that is refused. */
  failures: 120,
  /** Tokens created by one key or one member of staff. */
  tokens: 120,
}

/** Counts a request, and whether its subject is within its limit. */
export function isWithinLimit(kind: keyof typeof embedLimits, subject: string, now = Date.now()): boolean {
  return count(`${kind} ${subject}`, 1, now) <= embedLimits[kind]
}
