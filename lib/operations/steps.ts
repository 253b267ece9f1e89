import { findOperationDefinition } from '#lib/api/actions.ts'
import type { OperationRow } from './journal.ts'
import type { Settlement } from './settlement.ts'

/** Steps that make the next one safer and are not needed for it: a card that cannot be locked can still be cancelled. */
const helpful: ReadonlySet<string> = new Set(['card.lock'])

/** Refusals that mean the record already was as requested. */
export const doneBefore: readonly string[] = [
  'CARD_ALREADY_LOCKED',
  'CARD_ALREADY_SUSPENDED',
  'CARD_ALREADY_CANCELLED',
  'FEE_ALREADY_VOID',
]

/**
 * Whether the step after this one begins, still waits, or ends without being sent. A request that waits for an approval lets
 * the next step begin: a cardholder does not wait for the new card until somebody approves the end of the old one.
 */
export function turnAfter(before: OperationRow): 'begins' | 'waits' | Pick<Settlement, 'state' | 'code' | 'message'> {
  const { state, settledAt, code } = before
  if (state === 'queued' || state === 'sending') return 'waits'
  if (state === 'done' || state === 'partial' || state === 'waiting' || state === 'approved') return 'begins'
  if (helpful.has(before.kind) || doneBefore.includes(code ?? '')) return 'begins'
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
