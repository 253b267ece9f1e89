import { findOperationDefinition } from '#lib/api/actions.ts'
import type { OperationRow } from './journal.ts'
import type { Settlement } from './settlement.ts'

/** Steps that make the next one safer and are not needed for it: a card that cannot be locked can still be cancelled. */
const helpful: ReadonlySet<string> = new Set(['card.lock'])

/** Whether a code says that a step was done before it was asked for. */
export function isDoneBefore(code: string | null): boolean {
  return code === 'CARD_ALREADY_CANCELLED'
}

/**
 * Whether the step after this one begins, still waits, or ends without being sent. A request that waits for an approval lets
 * the next step begin: a cardholder does not wait for the new card until somebody approves the end of the old one.
 */
export function turnAfter(before: OperationRow): 'begins' | 'waits' | Pick<Settlement, 'state' | 'code' | 'message'> {
  const { state, settledAt, code } = before
  if (state === 'queued' || state === 'sending') return 'waits'
  if (state === 'done' || state === 'partial' || state === 'waiting' || state === 'approved') return 'begins'
  if (helpful.has(before.kind) || isDoneBefore(code)) return 'begins'
  if (state === 'unknown' && !settledAt) return 'waits'
  const label = findOperationDefinition(before.kind)?.label ?? before.kind
  const because = state === 'unknown' ? `it isn’t known whether “${label}” was done` : `“${label}” was not done`
  return { state: 'refused', code: stepNotDone, message: `It was not sent, because ${because}.` }
}

/** Ends an operation, or a step of one, that begins when the person who started it may not do it any more. */
export function notPermitted({ staffName, follows }: OperationRow): Pick<Settlement, 'state' | 'code' | 'message'> {
  return {
    state: 'refused',
    code: follows === null ? makerNotPermitted : stepNotDone,
    message: `It was not sent, because ${staffName} may not do this any more.`,
  }
}

/** The code of a step that was not sent, because one before it was not done. */
export const stepNotDone = 'STEP_NOT_DONE'

/** The code of an operation that was not sent, because access to it had ended. */
export const makerNotPermitted = 'MAKER_NOT_PERMITTED'
