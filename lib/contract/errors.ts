/** The text of an error for people: what happened, whether anything changed, and what to do next. */
export type ErrorEntry = {
  status: 400 | 401 | 404 | 405 | 409 | 413 | 415 | 429
  happened: string
  next: string
}

/** A request that breaks a rule. */
const refused = (happened: string, next: string) => ({ status: 400, happened, next }) as const

const unknown = (record: string, next = 'Check the ID and the environment.') =>
  ({ status: 404, happened: `The card service has no ${record} with this ID.`, next }) as const

/** Decision: the business errors of cards carry `statusCode` wherever they come, on the seven card endpoints and on others. */
const cardErrors = {
  INACTIVE_CARD: refused(
    'The card is not active, and this action needs an active card.',
    'Check the card’s status and bring it back to active first, where that is possible.',
  ),
  CARD_NOT_ISSUED: refused('The card is not issued yet.', 'Wait until the card is issued and activated.'),
  CARD_NUMBER_MISMATCH: refused(
    'The card does not belong to this account, or its digits do not match.',
    'Check the last six digits on the card, and that the card belongs to this account.',
  ),
  UNPENDING_CARD: refused(
    'The card is not waiting for activation.',
    'Check the card’s status; only a card pending activation can be activated.',
  ),
  CARD_EXPIRY_MISMATCH: refused('The expiry date does not match the card.', 'Read month and year again from the card.'),
  CARD_ALREADY_LOCKED: refused(
    'The card is locked already.',
    'Nothing needs to be done. Unlock it to allow transactions again.',
  ),
  ERROR_UNLOCK_CARD_STATUS_INVALID: refused(
    'Only a locked card can be unlocked, and this card is not locked.',
    'Check the card’s status. A suspended card has to be unsuspended instead.',
  ),
  CARD_ALREADY_SUSPENDED: refused(
    'The card is suspended already.',
    'Nothing needs to be done. Unsuspend it to allow transactions again.',
  ),
  UNSUSPENDED_CARD: refused(
    'Only a suspended card can be unsuspended, and this card is not suspended.',
    'Check the card’s status. A locked card has to be unlocked instead.',
  ),
  CARD_ALREADY_CANCELLED: refused(
    'The card is cancelled already.',
    'Nothing can bring it back. Issue a new card where one is needed.',
  ),
} as const satisfies Record<string, ErrorEntry>

/**
 * The closed table of error codes that the interface names or this project decided. Every one of them means that nothing
 * was changed: a refused request has no effect.
 */
export const errorTable = {
  INVALID_PARAMETERS: refused(
    'The card service refused what was entered.',
    'Correct the fields that the message names, then try again.',
  ),
  INVALID_SIGNATURE: {
    status: 401,
    happened: 'The card service could not verify the signature of the request.',
    next: 'Ask an admin to compare the registered public key with the private key in the settings.',
  },
  INVALID_ACCESS_KEY: {
    status: 401,
    happened: 'The card service does not know the access key.',
    next: 'Ask an admin to check the access key in the settings.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    happened: 'The card service refused the request token: it was too old, or valid for too long.',
    next: 'Check the clock of the console’s server, then try again.',
  },
  TOKEN_REPLAYED: {
    status: 401,
    happened: 'The token of this request was used before.',
    next: 'Try again. Each attempt gets a new token.',
  },
  NOT_FOUND: {
    status: 404,
    happened: 'The card service has no endpoint at this URL.',
    next: 'Ask an admin to check the service URL in the settings.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    happened: 'The card service does not accept this HTTP method at this URL.',
    next: 'Ask an admin to check the service URL in the settings.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    happened: 'The request is larger than the card service accepts.',
    next: 'Send less at a time.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    happened: 'The card service accepts JSON only.',
    next: 'Send the request as application/json.',
  },
  RATE_LIMITED: {
    status: 429,
    happened: 'Too many requests were sent in this minute.',
    next: 'Wait until the limit resets, then try again.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    happened: 'Another request was sent with the same idempotency key.',
    next: 'Close the dialog and check what changed.',
  },
  XID_ALREADY_EXISTS: {
    status: 409,
    happened: 'Another resource has this external ID already.',
    next: 'Choose an external ID that is not in use.',
  },

  CARD_ACCOUNT_NOT_FOUND: unknown('card account'),
  TRANSACTION_NOT_FOUND: unknown('transaction'),
  WEBHOOK_NOT_FOUND: unknown('webhook', 'Reload the list. The webhook may have been removed.'),
  QUOTE_NOT_FOUND: unknown('quote', 'Get a new quote to continue.'),
  BANK_NOT_FOUND: {
    status: 404,
    happened: 'The card service knows no bank with this code.',
    next: 'Check the wire code.',
  },
  ACCOUNT_NOT_FOUND: unknown('funding account', 'Choose one of the listed funding accounts.'),
  CARD_NOT_FOUND: unknown('card'),
  PAYOUT_NOT_FOUND: unknown('payout'),
  COUNTRY_NOT_FOUND: refused('Payouts to this country are not supported.', 'Choose one of the supported countries.'),
  FEE_NOT_FOUND: { ...unknown('fee', 'Reload the list of fees.'), status: 400 },

  NETWORK_CARD_INVALID_BANK_ACCOUNT: refused(
    'The card number of the beneficiary is not valid.',
    'Enter the 16 to 19 digits of the beneficiary’s card.',
  ),
  QUOTE_ALREADY_USED: refused('This quote was used for another payout.', 'Get a new quote to continue.'),
  QUOTE_EXPIRED: refused('The quote expired before it was used.', 'Get a new quote and compare the rate.'),
  INSUFFICIENT_FUNDS: refused(
    'The funding account does not hold enough for this payout.',
    'Top up the funding account or send less.',
  ),

  ...cardErrors,
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorTable

export function isCardErrorCode(code: ErrorCode): boolean {
  return Object.hasOwn(cardErrors, code)
}

/** Codes that any authenticated endpoint can respond with. */
export const commonErrors = [
  'INVALID_PARAMETERS',
  'INVALID_SIGNATURE',
  'INVALID_ACCESS_KEY',
  'TOKEN_EXPIRED',
  'TOKEN_REPLAYED',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'IDEMPOTENCY_CONFLICT',
] as const satisfies readonly ErrorCode[]

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
