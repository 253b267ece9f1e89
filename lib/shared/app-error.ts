/** The console's own errors, each with its HTTP status. Codes of the service's error table are passed on as they are. */
const statuses = {
  NOT_SIGNED_IN: 401,
  EMBED_KEY_REFUSED: 401,
  NOT_PERMITTED: 403,
  STEP_UP_REQUIRED: 403,
  STEP_UP_REFUSED: 403,
  PASSKEY_REQUIRED: 403,
  SIGN_IN_AGAIN: 403,
  EMBED_REFUSED: 403,
  INVALID_PARAMETERS: 400,
  CARD_NUMBER_REFUSED: 400,
  NETWORK_CARD_INVALID_BANK_ACCOUNT: 400,
  SELF_APPROVAL: 403,
  MAKER_NOT_PERMITTED: 403,
  STARTER_NOT_PERMITTED: 403,
  APPROVAL_DECIDED: 409,
  APPROVAL_MISMATCH: 409,
  POLICY_CHANGED: 409,
  ADDRESS_NOT_IPV4: 409,
  OPERATION_MISMATCH: 409,
  ALREADY_UNDER_WAY: 409,
  ALREADY_WAITING: 409,
  CARD_ALREADY_REPLACED: 409,
  FEE_ALREADY_VOID: 409,
  FEE_WAIVED_BEFORE: 409,
  PAYOUTS_NOT_OFFERED: 409,
  REQUEST_NOT_ALLOWED: 403,
  SCENARIOS_RUNNING: 409,
  NOT_CONNECTED: 409,
  ENVIRONMENT_NOT_FOUND: 404,
  LAB_NOT_FOUND: 404,
  CARD_ACCOUNT_NOT_FOUND: 404,
  CARD_NOT_FOUND: 404,
  OPERATION_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  AUDIT_ENTRY_NOT_FOUND: 404,
  LEDGER_ENTRY_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  FEE_NOT_FOUND: 404,
  PAYOUT_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  ACCOUNT_NOT_FOUND: 404,
  BANK_NOT_FOUND: 404,
  COUNTRY_NOT_FOUND: 404,
  BULK_JOB_NOT_FOUND: 404,
  ENDPOINT_NOT_FOUND: 404,
  REQUEST_NOT_FOUND: 404,
  SCENARIO_NOT_FOUND: 404,
  SANDBOX_NOT_FOUND: 404,
  STAFF_NOT_FOUND: 404,
  LAST_ADMIN: 409,
  CUSTOMER_NOT_FOUND: 404,
  CUSTOMER_AMBIGUOUS: 409,
  SESSION_NOT_FOUND: 404,
  PASSKEY_NOT_FOUND: 404,
  EMBED_KEY_NOT_FOUND: 404,
  TOO_MANY_ATTEMPTS: 429,
  QUOTE_MISMATCH: 502,
  SERVICE_REFUSED: 502,
  SERVICE_UNREACHABLE: 503,
} as const
export type AppErrorCode = keyof typeof statuses

/** An error that people may read: its message never holds internals. `requestId` is the service's, if it was called. */
export class AppError extends Error {
  readonly code: AppErrorCode
  readonly status: number
  readonly requestId: string | null

  constructor(code: AppErrorCode, message: string, requestId: string | null = null) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.status = statuses[code]
    this.requestId = requestId
  }
}

/**
 * The result of reading one record by its id. An id whose form the service refuses names no record: `INVALID_PARAMETERS`
 * becomes the not-found error. Only for requests that have no other parameters a caller can get wrong. `code` is another
 * code that says so.
 */
export async function orNotFound<Value>(
  reading: Promise<Value>,
  notFound: () => AppError,
  code: AppErrorCode = 'INVALID_PARAMETERS',
): Promise<Value> {
  const found = await nullOn(reading, code)
  if (found === null) throw notFound()
  return found
}

/** The result of `work`; null where it ends with an `AppError`, of one of these codes where any are named. */
export async function nullOn<Value>(work: Promise<Value>, ...codes: AppErrorCode[]): Promise<Value | null> {
  try {
    return await work
  } catch (error) {
    if (isAppError(error) && (codes.length === 0 || codes.includes(error.code))) return null
    throw error
  }
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error && 'status' in error
}

/** Whether the service did not respond, which says nothing of the record that was asked for. */
export function isUnreachable(error: unknown): boolean {
  return isAppError(error) && error.code === 'SERVICE_UNREACHABLE'
}
