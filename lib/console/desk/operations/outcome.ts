import { errorTable, isErrorCode } from '#lib/contract/errors.ts'
import type { Outcome, Operation } from '../shapes.ts'
import type { operations } from '../tables/operations.ts'
import { actorOf, targetOf } from '../tables/schema.ts'
import type { OperationRow } from './journal.ts'
import { rowOfKind } from './kinds.ts'

export function operationOf(row: OperationRow): Operation {
  return {
    id: row.id,
    environment: row.environment,
    kind: row.kind,
    target: targetOf(row),
    by: actorOf(row),
    reason: row.reason,
    comment: row.comment,
    outcome: outcomeOf(row),
    resultId: row.resultId,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
  }
}

type Row = typeof operations.$inferSelect

/** The outcome of a journal row, with the messages of the contract's error table. */
export function outcomeOf(row: Row): Outcome {
  const facts = { code: row.code, status: row.status, requestId: row.requestId }
  return { needsReview: false, ...describe[row.state](row), ...facts }
}

type Described = Omit<Outcome, 'code' | 'status' | 'requestId' | 'needsReview'> & { needsReview?: boolean }

const running: Described = {
  state: 'running',
  happened: 'Sending the request…',
  changed: 'unknown',
  isSafeToRetry: true,
  next: 'The result appears here.',
}

const describe: Record<Row['state'], (row: Row) => Described> = {
  done: (row) => ({
    state: 'done',
    happened: row.code === resolvedByStaff ? (row.message ?? 'Done.') : doneText(row),
    changed: 'yes',
    isSafeToRetry: true,
    next: '',
  }),
  partial: (row) => ({
    state: 'partial',
    happened: `Only part of this was done. ${row.message ?? ''}`.trim(),
    changed: 'yes',
    isSafeToRetry: false,
    next: `Check the ${nounOf(row)}, then start again for what is missing.`,
  }),
  // The service refused these very bytes: sending them again would be refused again.
  refused: (row) => ({
    state: 'refused',
    ...errorCopy(row),
    changed: 'no',
    isSafeToRetry: false,
  }),
  // With a code it was sent before, and its record is read again.
  sending: (row) => (row.code === null ? running : notKnownYet(row)),
  waiting: () => ({
    state: 'waiting',
    happened: 'Nothing is sent until another person approves it.',
    changed: 'no',
    isSafeToRetry: false,
    next: '',
  }),
  approved: () => ({
    state: 'running',
    happened: 'Approved. Sending the request…',
    changed: 'unknown',
    isSafeToRetry: true,
    next: 'The result appears here.',
  }),
  declined: notApproved,
  expired: notApproved,
  withdrawn: notApproved,
  'not-sent': (row) => ({
    state: 'refused',
    happened: row.message ?? 'The service could not be reached.',
    changed: 'no',
    isSafeToRetry: row.settledAt === null,
    next: 'Try again when the API responds.',
  }),
  unknown: (row) => (row.settledAt ? neverKnown(row) : notKnownYet(row)),
}

function notApproved(row: Row): Described {
  return { state: 'refused', happened: row.message ?? '', changed: 'no', isSafeToRetry: false, next: '' }
}

function neverKnown(row: Row): Described {
  const now = row.message ?? (row.statusAfter ? `The ${nounOf(row)} is ${row.statusAfter} now.` : '')
  return {
    state: 'unknown',
    happened: `We couldn’t confirm that this went through. ${now}`.trim(),
    changed: 'unknown',
    isSafeToRetry: false,
    next: `Check the ${nounOf(row)}. If it isn’t as it should be, start again.`,
  }
}

function notKnownYet(row: Row): Described {
  if (row.code === 'NEEDS_REVIEW') {
    return {
      state: 'unknown',
      happened: `We don’t know if this ${nounOf(row)} was made. ${row.message ?? ''}`.trim(),
      changed: 'unknown',
      isSafeToRetry: false,
      needsReview: true,
      next: `It was sent once and is not sent again. Check the ${nounOf(row)} list, then say what happened.`,
    }
  }
  const accepted = `The request was accepted, but not confirmed yet. ${row.message ?? ''}`.trim()
  return {
    state: 'unknown',
    happened: row.code === 'NOT_CONFIRMED' ? accepted : 'We don’t know yet if this went through.',
    changed: 'unknown',
    isSafeToRetry: true,
    next: 'Carddesk is checking and will update here. You can close this window. It can’t happen twice.',
  }
}

/** What an operation is about, in a word. */
function nounOf({ kind }: Row): string {
  return rowOfKind(kind)?.noun ?? 'record'
}

function doneText({ kind, message }: Row): string {
  const row = rowOfKind(kind)
  return [`${row?.done ?? 'Done'}.`, row?.note, message].filter(Boolean).join(' ')
}

/** A person found out what the console could not. */
const resolvedByStaff = 'RESOLVED_BY_STAFF'

/** The outcome of an approved request that the console did not send. */
const nextAfterApproval: Record<string, string> = {
  APPROVAL_MISMATCH: 'Report this to an administrator, then start again.',
  OUTSIDE_TOLERANCE: 'Get a new quote and submit it for approval.',
}

function errorCopy(row: Row): { happened: string; next: string } {
  if (row.code === resolvedByStaff) return { happened: row.message ?? '', next: '' }
  const next = row.code === null ? undefined : nextAfterApproval[row.code]
  if (next !== undefined) return { happened: row.message ?? '', next }
  const own = rowOfKind(row.kind)?.refused?.[row.code ?? '']
  if (own) return own
  if (row.code && isErrorCode(row.code)) {
    const { happened, next } = errorTable[row.code]
    const saysWhich = row.code === 'INVALID_PARAMETERS' && row.message && !row.holdsSecret
    return { happened: saysWhich ? `${happened} ${row.message}` : happened, next }
  }
  return {
    happened: row.message ? `The service refused this: ${row.message}` : 'The service refused this.',
    next: 'Check the current state before you try again.',
  }
}

/** An outcome of the console itself: nothing was sent. */
export function refusedBeforeSending(code: string, happened: string): Outcome {
  return {
    state: 'refused',
    happened,
    changed: 'no',
    isSafeToRetry: mayPass.has(code),
    needsReview: false,
    next: consoleNext[code] ?? 'Reload the page and try again.',
    code,
    status: null,
    requestId: null,
  }
}

/** Errors that may be over at the next attempt. Any other error is final. */
const mayPass = new Set([
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
  APPROVAL_DECIDED: 'Reload the page to see how it ended.',
  APPROVAL_MISMATCH: 'Decline it and report this to an admin.',
  OPERATION_MISMATCH: 'Check the current state, then try again.',
  SERVICE_UNREACHABLE: 'Try again when the API responds.',
}
