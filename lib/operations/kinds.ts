import type { Permission } from '#lib/auth/permissions.ts'
import { cardActionRow, cardActions, type CardAction } from '#lib/contract/card-actions.ts'
import { type Reason } from '#lib/shared/reasons.ts'

type KindRow = {
  permission: Permission
  /** The noun of the operation's object. */
  noun: string
  /** The action of a person: a button's label, and the action in the audit log. */
  label: string
  /** It makes a record: sent twice, it may make two, so a look-up decides whether it may be sent again. */
  creates?: true
  /** Shown once the record confirms the change: a headline, and an explanation where it is needed. */
  done: string
  note?: string
  /** The reasons to choose from, and whether one has to be given. */
  reasons?: readonly Reason[]
  isReasonRequired?: true
  /** Messages for error codes of the service whose general message would mislead for this kind. */
  refused?: Record<string, { happened: string; next: string }>
}

const cardKinds = Object.fromEntries(
  cardActions.map((action) => {
    const { label, done, note, reasons, isReasonRequired } = cardActionRow(action)
    const row: KindRow = {
      permission: `cards.${action}`,
      noun: 'card',
      label,
      done,
      ...(note ? { note } : {}),
      ...(reasons.length > 0 ? { reasons } : {}),
      ...(isReasonRequired ? { isReasonRequired } : {}),
    }
    return [`card.${action}`, row]
  }),
) as Record<`card.${CardAction}`, KindRow>

/** Every kind of operation: who may do it, and its messages. Safe for the browser; `table.ts` has what the server does. */
export const operationKinds = {
  ...cardKinds,
  'card.issue': { permission: 'cards.issue', noun: 'card', label: 'Issue card', creates: true, done: 'Card issued' },
  'card.replace': {
    permission: 'cards.issue',
    noun: 'card',
    label: 'Replace card',
    creates: true,
    done: 'Replacement issued',
  },
  'account.open': {
    permission: 'accounts.open',
    noun: 'account',
    label: 'Open card account',
    creates: true,
    done: 'Account opened',
    note: 'Its identity is pending.',
  },
  'fee.waive': {
    permission: 'fees.waive',
    noun: 'fee',
    label: 'Waive fee',
    done: 'Fee waived',
    reasons: ['goodwill', 'charged-in-error', 'service-problem', 'program-policy', 'other'],
    isReasonRequired: true,
    refused: {
      INVALID_PARAMETERS: {
        happened: 'The fee wasn’t waived. It may be void already.',
        next: 'Check the fee’s status. A void fee needs nothing more.',
      },
    },
  },
  'payout.submit': {
    permission: 'payouts.submit',
    noun: 'payout',
    label: 'Submit payout',
    creates: true,
    done: 'Payout submitted',
  },
  'account.set-limit': {
    permission: 'limits.set',
    noun: 'limit',
    label: 'Set fixed limit',
    done: 'Limit set',
    // Required for a higher limit: the row in limits/operations.ts.
    reasons: ['cardholder-request', 'credit-review', 'temporary-change', 'program-policy', 'other'],
  },
  'identity.resubmit': {
    permission: 'identity.manage',
    noun: 'identity',
    label: 'Resubmit identity',
    done: 'Identity resubmitted',
    note: 'The new decision appears here.',
    refused: {
      INVALID_PARAMETERS: {
        happened: 'The identity wasn’t resubmitted. It may have been decided or resubmitted meanwhile.',
        next: 'Check the identity’s status, then the details you entered.',
      },
    },
  },
  'identity.simulate': {
    permission: 'sandbox.simulate',
    noun: 'identity',
    label: 'Simulate identity decision',
    done: 'Decision simulated',
  },
  'reference.set': {
    permission: 'references.edit',
    noun: 'references',
    label: 'Set reference',
    done: 'References updated',
  },
  'webhook.remove': {
    permission: 'webhooks.manage',
    noun: 'webhook',
    label: 'Remove webhook',
    done: 'Webhook removed',
    note: 'Its queue is deleted.',
  },
  'webhook.create': {
    permission: 'webhooks.manage',
    noun: 'webhook',
    label: 'Add webhook',
    creates: true,
    done: 'Webhook created',
    note: 'Deliveries begin after its first successful ping.',
  },
  'webhook.recreate': {
    permission: 'webhooks.manage',
    noun: 'webhook',
    label: 'Create webhook again',
    creates: true,
    done: 'Webhook created again under a new ID',
    note: 'Lost events are not resent.',
  },
} as const satisfies Record<string, KindRow>

export type OperationKind = keyof typeof operationKinds

/** The issues of an operation's reason, by field; empty where there are none. */
export function reasonIssues(
  kind: OperationKind,
  { reason, comment }: { reason?: string | undefined; comment?: string | undefined },
  isRequired = operationKindRow(kind).isReasonRequired ?? false,
): Record<string, string> {
  const { reasons = [] } = operationKindRow(kind)
  if (reason && !reasons.some((one) => one === reason)) return { reason: 'must be one of the listed reasons' }
  if (isRequired && !reason) return { reason: 'must be given' }
  if (reason === 'other' && !comment) return { comment: 'must say what the reason is' }
  return {}
}

export function operationKindRow(kind: OperationKind): KindRow {
  return operationKinds[kind]
}

/** The row of a kind; a journal may hold kinds that this version does not know. */
export function rowOfKind(kind: string): KindRow | undefined {
  return Object.hasOwn(operationKinds, kind) ? operationKinds[kind as OperationKind] : undefined
}
