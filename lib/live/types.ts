/** Something that is not as it was: what an open page shows of it is read again. */
export type Change =
  /** One card, whose account is as it was. */
  | { type: 'card'; id: string; cardAccountId: string }
  /** A card account, or a transaction, card, limit or identity of it. */
  | { type: 'cardaccount'; id: string }
  /** Any card account: one was opened, or all were read again. */
  | { type: 'cardaccounts' }
  /** Any fee. */
  | { type: 'fees' }
  /** Any payout. */
  | { type: 'payouts' }
  /** Exchange rates. */
  | { type: 'rates' }
  /** A bulk job: its state or its rows. */
  | { type: 'bulk-job'; id: string }
  /** Funding accounts: balance, ledger or threshold. */
  | { type: 'funding-accounts' }
  /** An operation: its outcome, or what is known of it. */
  | { type: 'operation'; id: string }
  /** Events that the console received. */
  | { type: 'inbox' }
  /** Webhooks at the service, and their health. */
  | { type: 'webhooks' }
  /** Requests that wait for a second person, or were decided. */
  | { type: 'approvals' }
  /** The approval policy, or a proposal for it. */
  | { type: 'policy' }
  /** Notes on a record. */
  | { type: 'notes'; target: { type: string; id: string } }
  /** The QA lab: faults, the sandbox's clock, runs of scenarios. */
  | { type: 'lab' }

/** A row of changes, as it goes to browsers. */
export type LiveMessage = { id: number; about: Change[] }
