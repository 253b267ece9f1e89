import 'server-only'
import { StepUpRequired } from '#lib/auth/step-up.ts'
import type { NotStarted, Outcome } from '#lib/operations/types.ts'
import { isAppError } from '#lib/shared/app-error.ts'

/** Returns an `AppError` as the result of an action; any other error is thrown on. */
export async function toActionResult<Result>(work: () => Promise<Result | NotStarted>): Promise<Result | NotStarted> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    const { code, message, requestId } = error
    const stepUp = error instanceof StepUpRequired && error.stepUp ? { stepUp: error.stepUp } : {}
    const waiting = 'approvalId' in error ? { approvalId: String(error.approvalId) } : {}
    return { kind: 'refused', outcome: { ...refusedBeforeSending(code, message), requestId, ...stepUp, ...waiting } }
  }
}

/** An outcome of the console itself: nothing was sent. */
function refusedBeforeSending(code: string, happened: string): Outcome {
  return {
    state: 'refused',
    happened,
    changed: 'no',
    isSafeToRetry: retriableCodes.has(code),
    needsReview: false,
    next: consoleNext[code] ?? 'Reload the page and try again.',
    code,
    status: null,
    requestId: null,
    finding: null,
    retryAt: null,
  }
}

/** Errors that may be over at the next attempt. Any other error is final. */
const retriableCodes = new Set([
  'NOT_SIGNED_IN',
  'NOT_CONNECTED',
  'SERVICE_UNREACHABLE',
  'TOO_MANY_ATTEMPTS',
  'STEP_UP_REQUIRED',
  'STEP_UP_REFUSED',
])

const consoleNext: Record<string, string> = {
  FEE_NOT_FOUND: 'Check the list of fees and the environment.',
  FEE_ALREADY_VOID: 'The balance does not count it.',
  FEE_WAIVED_BEFORE: 'Ask the card service about this fee.',
  NOT_SIGNED_IN: 'Sign in again, then try again. What you typed is still here.',
  NOT_PERMITTED: 'An admin can change your role.',
  STEP_UP_REQUIRED: 'Try again and confirm with your passkey.',
  STEP_UP_REFUSED: 'Try again and confirm with your passkey within a minute.',
  PASSKEY_REQUIRED: 'Add a passkey in Your account, then try again.',
  SIGN_IN_AGAIN: 'Sign in again, then add your first passkey.',
  LAST_ADMIN: 'Make another person admin first.',
  NOT_CONNECTED: 'Ask an admin to set what is missing.',
  ADDRESS_NOT_IPV4:
    'Connect over IPv4: use another network, or turn off IPv6 on this device. If it stays, ask an admin to check TRUSTED_PROXY_HOPS.',
  SELF_APPROVAL: 'Another approver has to decide it.',
  MAKER_NOT_PERMITTED: 'Decline it.',
  STARTER_NOT_PERMITTED: 'A person with this permission has to start a new job for the rest.',
  APPROVAL_DECIDED: 'Its page shows how it ended.',
  APPROVAL_MISMATCH: 'Decline it and report this to an admin.',
  OPERATION_MISMATCH: 'Check the current state, then try again.',
  ALREADY_UNDER_WAY: 'Reload the page to see how it ends.',
  ALREADY_WAITING: 'It needs no second request.',
  CARD_ALREADY_REPLACED: 'Open the new card from this card’s page.',
  QUOTE_MISMATCH: 'Get a new quote. If it stays so, report it to an admin.',
  SERVICE_REFUSED: 'If it stays so, report it to an admin.',
  SERVICE_UNREACHABLE: 'Try again when the card service responds.',
}
