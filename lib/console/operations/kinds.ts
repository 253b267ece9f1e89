/** Everything that an operation can be, and the sentence that is true when it is done. */
export const operationKinds = {
  'card.lock': { done: 'The card is locked. Transactions on it are declined from now on.' },
  'card.unlock': { done: 'The card is unlocked. Transactions on it are allowed from now on.' },
  'card.suspend': { done: 'The card is suspended. Only staff can end the suspension.' },
  'card.unsuspend': { done: 'The suspension is over. A card that was locked before is locked again.' },
  'card.cancel': { done: 'The card is cancelled for good.' },
  'card.activate': { done: 'The card is active and can be used.' },
  'card.change-pin': { done: 'The PIN is changed. The old one no longer works.' },
  'fee.waive': { done: 'The fee is waived. The account’s balance is right at once.' },
  'payout.submit': { done: 'The payout is requested. It appears in the list and goes on by itself.' },
  'account.set-limit': { done: 'The fixed limit is set.' },
  'reference.set': { done: 'The reference is set.' },
  'webhook.remove': { done: 'The webhook is removed with its queue. Nothing more is delivered to it.' },
  'webhook.create': { done: 'The webhook is created. Deliveries begin once its first health check succeeds.' },
  'webhook.recreate': {
    done: 'The webhook is created again, under a new id. Events from now on are delivered to it; those that were lost are not.',
  },
} as const satisfies Record<string, { done: string }>

export type OperationKind = keyof typeof operationKinds
