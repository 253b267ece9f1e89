type KindCopy = {
  /** What the operation is about, in one word. */
  noun: string
  /** True once the record read back shows it. */
  done: string
  /** What an error code of the service means for this kind, where the general message would mislead. */
  refused?: Record<string, { happened: string; next: string }>
}

/** Every kind of operation, with its messages. Safe for the browser. */
export const operationKinds = {
  'card.lock': { noun: 'card', done: 'Card locked. Charges are declined until it’s unlocked.' },
  'card.unlock': { noun: 'card', done: 'Card unlocked. It can be used again.' },
  'card.suspend': { noun: 'card', done: 'Card suspended. Only Unsuspend lifts it.' },
  'card.unsuspend': { noun: 'card', done: 'Suspension lifted.' },
  'card.cancel': { noun: 'card', done: 'Card cancelled.' },
  'card.activate': { noun: 'card', done: 'Card activated. It can be used now.' },
  'card.change-pin': { noun: 'card', done: 'PIN changed. The old PIN no longer works.' },
  'fee.waive': {
    noun: 'fee',
    done: 'Fee waived.',
    refused: {
      INVALID_PARAMETERS: {
        happened: 'The fee wasn’t waived. It may be void already.',
        next: 'Check the fee’s status. A void fee needs nothing more.',
      },
    },
  },
  'payout.submit': { noun: 'payout', done: 'Payout submitted.' },
  'account.set-limit': { noun: 'limit', done: 'Limit set.' },
  'identity.resubmit': {
    noun: 'identity',
    done: 'Identity resubmitted. The new decision appears here.',
    refused: {
      INVALID_PARAMETERS: {
        happened: 'The identity wasn’t resubmitted. It may have been decided or resubmitted meanwhile.',
        next: 'Check the identity’s status, then the details you entered.',
      },
    },
  },
  'identity.simulate': { noun: 'identity', done: 'Decision simulated.' },
  'reference.set': { noun: 'references', done: 'References updated.' },
  'webhook.remove': { noun: 'webhook', done: 'Webhook removed. Its queue is deleted.' },
  'webhook.create': { noun: 'webhook', done: 'Webhook created. Deliveries begin after its first successful ping.' },
  'webhook.recreate': { noun: 'webhook', done: 'Webhook created again under a new ID. Lost events are not resent.' },
} as const satisfies Record<string, KindCopy>

export type OperationKind = keyof typeof operationKinds

/** The messages of a kind; a journal may hold kinds that this version does not know. */
export function copyOfKind(kind: string): KindCopy | undefined {
  return Object.hasOwn(operationKinds, kind) ? operationKinds[kind as OperationKind] : undefined
}
