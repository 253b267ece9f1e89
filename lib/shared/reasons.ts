/** Why staff change something, as the dialogs offer it and the audit log shows it. */
export const reasonLabels = {
  'cardholder-request': 'Cardholder request',
  'lost-or-stolen': 'Lost or stolen',
  'suspected-fraud': 'Suspected fraud',
  'card-activation': 'To activate the card',
  'card-found': 'Card was found',
  resolved: 'The case is resolved',
  goodwill: 'Goodwill',
  'charged-in-error': 'Charged in error',
  'service-problem': 'Service problem',
  'credit-review': 'Credit review',
  'temporary-change': 'Temporary change',
  'program-policy': 'Program policy',
  mistake: 'Done by mistake',
  other: 'Other (say what)',
} as const
export type Reason = keyof typeof reasonLabels

/** The label of a card action's reason as its dialog offers it, of a payout’s purpose, or a free text as it was written. */
export function reasonText(reason: string): string {
  if (Object.hasOwn(reasonLabels, reason)) return reasonLabels[reason as Reason]
  return /^[a-z]+(-[a-z]+)+$/.test(reason) ? reason.replaceAll('-', ' ') : reason
}

/** The reason as its dialog offers it; null where none was given, or the comment says it instead (`other`). */
export function statedReason(reason: string | null): string | null {
  return reason && reason !== 'other' ? reasonText(reason) : null
}

/** Whether a stored reason is this one: its code, or its line in the rows of a job. */
export function isReason(stored: string | null, reason: Reason): boolean {
  const label = reasonLabels[reason]
  return stored === reason || stored === label || stored?.startsWith(`${label}: `) === true
}

/** The longest comment beside a reason, in characters. */
export const longestComment = 500

/** A reason with its comment in one line, for what has no comment of its own. */
export function reasonLine(reason: Reason, comment: string | null | undefined): string {
  if (reason === 'other') return comment ?? reasonLabels.other
  return comment ? `${reasonLabels[reason]}: ${comment}` : reasonLabels[reason]
}
