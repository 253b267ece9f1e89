type KindWords = {
  done: string
  /** What a code of the service means here, where its general words would mislead. */
  refused?: Record<string, { happened: string; next: string }>
}

/** Everything that an operation can be, and the sentence that is true when it is done. */
export const operationKinds = {
  'card.lock': { done: 'The card is locked. Transactions on it are declined from now on.' },
  'card.unlock': { done: 'The card is unlocked. Transactions on it are allowed from now on.' },
  'card.suspend': { done: 'The card is suspended. Only staff can end the suspension.' },
  'card.unsuspend': { done: 'The suspension is over. A card that was locked before is locked again.' },
  'card.cancel': { done: 'The card is cancelled for good.' },
  'card.activate': { done: 'The card is active and can be used.' },
  'card.change-pin': { done: 'The PIN is changed. The old one no longer works.' },
  'fee.waive': {
    done: 'The fee is waived. The account’s balance is right at once.',
    refused: {
      INVALID_PARAMETERS: {
        happened: 'The service did not waive this fee. It answers so where a fee is void already.',
        next: 'Look at the fee’s status: a void fee needs nothing more.',
      },
    },
  },
  'payout.submit': { done: 'The payout is requested. It appears in the list and goes on by itself.' },
  'account.set-limit': { done: 'The fixed limit is set.' },
  'reference.set': { done: 'The reference is set.' },
  'webhook.remove': { done: 'The webhook is removed with its queue. Nothing more is delivered to it.' },
  'webhook.create': { done: 'The webhook is created. Deliveries begin once its first health check succeeds.' },
  'webhook.recreate': {
    done: 'The webhook is created again, under a new id. Events from now on are delivered to it; those that were lost are not.',
  },
} as const satisfies Record<string, KindWords>

export type OperationKind = keyof typeof operationKinds

/** The words of a kind; a journal may hold kinds that this version does not know. */
export function wordsOfKind(kind: string): KindWords | undefined {
  return Object.hasOwn(operationKinds, kind) ? operationKinds[kind as OperationKind] : undefined
}
