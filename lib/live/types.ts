/** Something that is not as it was: what an open page shows of it is read again. */
export type Change =
  | { type: 'card'; id: string; cardAccountId: string }
  | { type: 'cardaccount'; id: string }
  | { type: 'cardaccounts' }
  | { type: 'fees' }
  | { type: 'payouts' }
  | { type: 'rates' }
  | { type: 'bulk-job'; id: string }
  | { type: 'accounts' }
  | { type: 'operation'; id: string }
  | { type: 'inbox' }
  | { type: 'webhooks' }
  | { type: 'approvals' }
  | { type: 'policy' }
  | { type: 'notes'; target: { type: string; id: string } }
  | { type: 'lab' }

/** A row of changes, as it goes to browsers. */
export type LiveMessage = { id: number; about: Change[] }
