import type { Reading } from './read-response.ts'

/** A difference that a token survives: the service's leeway of 5 s, less the precision of a Date header. */
const harmlessOffsetMs = 4000

/** Returns a hint for an administrator after a 401, or null. `offsetMs` is how far the service's clock is ahead. */
export function diagnosisOf(
  { status, code, message }: Pick<Reading, 'status' | 'code' | 'message'>,
  offsetMs: number | null,
): string | null {
  if (status !== 401) return null
  const clock = clockSentence(offsetMs)
  const areClocksApart = offsetMs !== null && Math.abs(offsetMs) > harmlessOffsetMs
  if (code === 'TOKEN_EXPIRED' || areClocksApart) return clock
  if (code !== 'INVALID_SIGNATURE') return null
  const claims = ['uri', 'method', 'body'].filter((claim) => new RegExp(`\\bclaim ${claim}\\b`).test(message))
  if (claims.length === 0) {
    return `The private key in the settings may not belong to the public key that is registered for this access key. ${clock}`
  }
  return `The service received another ${claims.join(' and another ')} than was signed: something between the console and the service changes requests. ${clock}`
}

function clockSentence(offsetMs: number | null): string {
  if (offsetMs === null) return 'The service’s clock could not be compared: its responses have no Date header.'
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  if (Math.abs(offsetMs) <= harmlessOffsetMs) return 'The clocks of console and service agree to within a few seconds.'
  return `The service’s clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this server’s. Tokens live for seconds: set the clock that is wrong.`
}
