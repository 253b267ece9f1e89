import { type CardAction, type CardStatus, cardTransition } from '#lib/contract/card-transitions.ts'

/** Why an action is not possible in a status, one sentence for each refused cell of the transition table. */
export const refusedActionReasons: Record<CardAction, Partial<Record<CardStatus, string>>> = {
  lock: {
    locked: 'Already locked.',
    suspended: 'Suspended by the operator; only an active card can be locked.',
    'pending-issue': 'Not issued yet; only an active card can be locked.',
    'pending-activation': 'Not activated yet; only an active card can be locked.',
    cancelled: 'Cancelled cards cannot be locked.',
  },
  unlock: {
    active: 'Not locked.',
    suspended: 'Suspended by the operator: Unsuspend ends that, Unlock does not.',
    'pending-issue': 'Not issued yet, so not locked.',
    'pending-activation': 'Not activated yet, so not locked.',
    cancelled: 'Cancelled cards cannot be unlocked.',
  },
  suspend: {
    suspended: 'Already suspended.',
    'pending-issue': 'Not issued yet; only an active or locked card can be suspended.',
    'pending-activation': 'Not activated yet; only an active or locked card can be suspended.',
    cancelled: 'Cancelled cards cannot be suspended.',
  },
  unsuspend: {
    active: 'Not suspended.',
    locked: 'Locked by the client, not suspended: Unlock ends that.',
    'pending-issue': 'Not issued yet, so not suspended.',
    'pending-activation': 'Not activated yet, so not suspended.',
    cancelled: 'Cancelled cards cannot be unsuspended.',
  },
  activate: {
    active: 'Activated already.',
    locked: 'Activated already; it is locked.',
    suspended: 'Activated already; it is suspended.',
    'pending-issue': 'Not issued yet; it can be activated once it is.',
    cancelled: 'Cancelled cards cannot be activated.',
  },
  cancel: {
    cancelled: 'Already cancelled.',
  },
  'change-pin': {
    locked: 'Locked; the PIN changes only while the card is active.',
    suspended: 'Suspended; the PIN changes only while the card is active.',
    'pending-issue': 'Not issued yet; there is no PIN to change.',
    'pending-activation': 'Not activated yet; the PIN changes only while the card is active.',
    cancelled: 'Cancelled cards have no PIN to change.',
  },
}

/** The actions that stop a card. They stay available in a status that the console does not know: the service decides. */
const stoppingActions: readonly CardAction[] = ['lock', 'suspend', 'cancel']

/** Why the status does not allow the action, or undefined where it does. */
export function refusalByStatus(status: string | null, action: CardAction): string | undefined {
  const transition = status ? cardTransition(status, action) : undefined
  if (transition === undefined) {
    if (stoppingActions.includes(action)) return undefined
    return status
      ? `Not available: the console does not know the status “${status}”.`
      : 'Not available: the service did not provide the card’s status.'
  }
  if ('to' in transition) return undefined
  return refusedActionReasons[action][status as CardStatus] ?? `Not possible while the card is ${status}.`
}
