/**
 * The actions of the sandbox's control plane, as data: the built-in service validates with it, the QA lab makes its
 * forms from it.
 */

/** Declines by name. Response codes are those of ISO 8583. */
export const declineReasons = {
  'do-not-honor': { responseCode: '05', responseMessage: 'Do not honor' },
  'invalid-transaction': { responseCode: '12', responseMessage: 'Invalid transaction' },
  'lost-card': { responseCode: '41', responseMessage: 'Lost card' },
  'stolen-card': { responseCode: '43', responseMessage: 'Stolen card' },
  'insufficient-funds': { responseCode: '51', responseMessage: 'Insufficient available balance' },
  'expired-card': { responseCode: '54', responseMessage: 'The card is expired' },
  'incorrect-pin': { responseCode: '55', responseMessage: 'Incorrect PIN' },
  'not-permitted': { responseCode: '57', responseMessage: 'Transaction not permitted to cardholder' },
  'suspected-fraud': { responseCode: '59', responseMessage: 'Suspected fraud' },
  'over-limit': { responseCode: '61', responseMessage: 'Exceeds the limit' },
  'restricted-card': { responseCode: '62', responseMessage: 'Restricted card' },
  'too-many-pin-tries': { responseCode: '75', responseMessage: 'Too many PIN tries' },
  'issuer-unavailable': { responseCode: '91', responseMessage: 'Issuer unavailable' },
} as const

/** Each intent that no charge and no fee makes, with the direction that it usually has. DEBIT adds to the balance. */
export const creditIntents = {
  topup: { entryType: 'DEBIT', description: 'Top-up' },
  cashback: { entryType: 'DEBIT', description: 'Cashback' },
  transfer: { entryType: 'DEBIT', description: 'Transfer' },
  interest: { entryType: 'DEBIT', description: 'Interest' },
  refund: { entryType: 'DEBIT', description: 'Refund' },
  repay: { entryType: 'DEBIT', description: 'Repayment' },
  withdraw: { entryType: 'CREDIT', description: 'Cash withdrawal' },
  other: { entryType: 'DEBIT', description: 'Adjustment' },
} as const

/** The values of each mode, the usual one first. */
export const modeValues = {
  ignoreIdempotencyKeys: [false, 'header', true],
  replay: ['marked', 'unmarked', 'refused'],
  idForm: ['uuid', 'upper-case', 'prefixed', 'in-braces'],
} as const

/** The options of each kind of shape that a fault may give a response. `at` is a JSON path. */
export const shapeOptions: Readonly<Record<string, readonly string[]>> = {
  drop: ['at'],
  null: ['at'],
  value: ['at', 'value'],
  string: ['at'],
  number: ['at'],
  rename: ['at', 'to'],
  'unknown-enum': ['at', 'value'],
  'upper-case': ['at'],
  epoch: ['at', 'unit'],
  'list-key': ['to'],
  'empty-token': ['at'],
  'huge-token': ['at', 'length'],
  'repeat-token': ['at'],
  html: ['status'],
  redirect: ['status', 'location'],
  'no-content': [],
  body: ['status', 'value'],
  truncated: [],
  'no-effect': ['at', 'value'],
  unsuccessful: ['at', 'error'],
}
