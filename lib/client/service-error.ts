/** Codes of failures without a response of the service, distinct from the service's own codes. */
export const clientErrors = {
  CONNECTION_FAILED: 'The card service could not be reached.',
  CONNECTION_LOST: 'The connection to the card service was lost before its response.',
  TIMED_OUT: 'The card service did not respond in time.',
  CIRCUIT_OPEN: 'The card service has not been responding, so nothing was sent. It is tried again in a moment.',
  RESPONSE_UNREADABLE: 'The card service sent a response that is not JSON.',
  RESPONSE_UNEXPECTED: 'The card service sent a response of another form.',
  RESPONSE_TOO_LARGE: 'The card service sent a response that is too large to read.',
  REDIRECTED: 'The card service redirected the request to another URL, which is not followed.',
  REQUEST_TOO_LONG:
    'The card service doesn’t accept a request this long. Its page token or the filter exceeds its limit for URLs and headers.',
  CANCELLED: 'The request was given up by its sender.',
} as const satisfies Record<string, string>

export type ClientErrorCode = keyof typeof clientErrors

/**
 * The state of a request without a readable success: `refused` (the service refused it, nothing changed), `not-sent`
 * (it was never sent, repeating it is safe), `unknown` (it may have taken effect; settle it under the same idempotency
 * key).
 */
export type FailedOutcome = 'refused' | 'not-sent' | 'unknown'

/** A call of the service that ended without a readable success. The message is the service's own where it gave one. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  declare readonly outcome: FailedOutcome
  /** HTTP status; null where there was no response. */
  declare readonly status: number | null
  /** The service's code, or a `ClientErrorCode`; null where the service gave none, as with a generic 500. */
  declare readonly code: string | null
  declare readonly requestId: string | null
  /** How many requests were sent, or tried to be. */
  declare readonly attempts: number
  /** The `Retry-After` of the last response. */
  declare readonly retryAfterMs: number | null
  /** Advice to an administrator after a 401: the claim that differs, the clocks. */
  declare readonly diagnosis: string | null

  constructor(message: string, details: Omit<ServiceError, keyof Error>, options?: ErrorOptions) {
    super(message, options)
    Object.assign(this, details)
  }
}

/** By name: a bundler may give each entry its own copy of the class, and a client outlives the entry that made it. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError' && 'outcome' in error
}
