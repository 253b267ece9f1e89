/**
 * Everything that the interface leaves open and this project decided. To connect a real service, read this list,
 * compares it with that service, and changes what differs in the file that each row names.
 *
 * `D` is decided here, a free choice that may be wrong for a real service; `K` is known to be how such a service does it.
 */
export type WireDecision = {
  /** Topic and title in lower case with hyphens, such as `requests.rate-limit`. */
  id: string
  topic: WireTopic
  about: string
  decision: string
  mark: 'D' | 'K' | 'K/D'
  /** Where the decision is implemented, from the root of the project. */
  where: string
}

const wireTopics = [
  'addresses',
  'authentication',
  'requests',
  'lists',
  'card accounts',
  'client identity',
  'cards',
  'transactions',
  'fees',
  'accounts',
  'payouts',
  'rates',
  'external metadata',
  'webhooks',
  'events',
  'sandbox',
] as const
type WireTopic = (typeof wireTopics)[number]

type Row = [about: string, decision: string, mark: WireDecision['mark'], where: string]

const rows: Record<WireTopic, Row[]> = {
  addresses: [
    ['Base address', '`<console origin>/service/v1` for the built-in service', 'D', 'lib/service/handle.ts'],
    ['Control plane', '`<console origin>/service/control/…`, the sandbox alone', 'D', 'lib/service/control'],
    [
      'Interface description',
      'OpenAPI 3.1 at `GET /openapi.json`, without authentication',
      'D',
      'lib/contract/openapi.ts',
    ],
  ],
  authentication: [
    ['Algorithm', 'RS256 alone, RSA keys of 2048 bits or more', 'K', 'lib/signing/request-token.ts'],
    ['Claim uri', 'path and query exactly as on the request line, without a host', 'K', 'lib/signing/request-token.ts'],
    ['Claim method', 'upper case', 'K', 'lib/signing/request-token.ts'],
    [
      'Claim body',
      'lower-case hex SHA-256 of the raw body; without a body the hash of nothing, or no claim',
      'K',
      'lib/signing/digest.ts',
    ],
    ['Lifetime', 'signed for 25 s, accepted up to 30 s, with a leeway of 5 s', 'K/D', 'lib/signing/request-token.ts'],
    [
      'Codes of a 401',
      'INVALID_SIGNATURE, INVALID_ACCESS_KEY for whatever cannot be parsed, TOKEN_EXPIRED for every claim of time, TOKEN_REPLAYED',
      'D',
      'lib/service/steps/authenticate.ts',
    ],
    [
      'Replayed tokens',
      'one token, one effect: a token whose POST took effect is a 401 TOKEN_REPLAYED until it dies; under the same idempotency key the stored response is sent again',
      'D',
      'lib/service/steps/used-tokens.ts',
    ],
    ['Claim jti', 'random, so that no two tokens are the same; not required', 'D', 'lib/signing/request-token.ts'],
    [
      'HTTP Basic',
      'the sandbox alone; SANDBOX_BASIC_AUTH=off refuses it, at the control plane too, which takes request tokens as the interface does',
      'D',
      'lib/service/steps/authenticate.ts',
    ],
  ],
  requests: [
    [
      'Idempotency',
      'header `Idempotency-Key` or the body’s `idempotencyKey`; responses stored 24 h, replayed with `Idempotency-Replayed: true`, 409 IDEMPOTENCY_CONFLICT for another body or path',
      'K/D',
      'lib/service/steps/replay.ts',
    ],
    ['Form of the idempotency key', '1 to 255 visible characters', 'D', 'lib/contract/fields.ts'],
    ['Request id', '`x-request-id` on every response', 'K', 'lib/service/steps/render.ts'],
    ['Success', '200 everywhere, creations included', 'D', 'lib/service/steps/render.ts'],
    [
      'Rate limit',
      'per Access Key, endpoint and minute, 1200; headers X-Ratelimit-*; over it 429 RATE_LIMITED with Retry-After',
      'K/D',
      'lib/service/steps/admit.ts',
    ],
    [
      'Long arrays',
      'two calls of an Access Key with more than 50 items run at once; beyond that 429 RATE_LIMITED with Retry-After',
      'D',
      'lib/service/steps/execute.ts',
    ],
    [
      'Database not available',
      'a lock, a statement or a connection that takes too long is a 503; the same key may be sent again',
      'D',
      'lib/service/steps/render.ts',
    ],
    [
      'Malformed input',
      '400 INVALID_PARAMETERS that names every wrong field at once, broken rules beside wrong shapes; what is a 404 or takes a record’s state comes after it',
      'D',
      'lib/service/steps/execute.ts',
    ],
    ['Size and type of a body', 'over 1 MiB 413, not JSON in UTF-8 415', 'D', 'lib/service/steps/read-body.ts'],
    [
      'Unknown path, wrong method',
      '404 NOT_FOUND, 405 METHOD_NOT_ALLOWED with Allow',
      'D',
      'lib/service/steps/route.ts',
    ],
    ['Codes of unknown records', '404 with a code of the record’s own', 'D', 'lib/contract/errors.ts'],
    ['Amounts', 'JSON numbers of at most 15 digits; decimal arithmetic inside', 'D', 'lib/contract/fields.ts'],
    [
      'xid',
      '1 to 256 characters; taken by any other resource: 409 XID_ALREADY_EXISTS',
      'K/D',
      'lib/contract/fields.ts',
    ],
    [
      'Phone numbers',
      'E.164 as text: `+`, then 7 to 15 digits that do not begin with 0',
      'D',
      'lib/contract/fields.ts',
    ],
    ['Currency codes', 'three upper-case letters, CNH included', 'D', 'lib/contract/fields.ts'],
    [
      'Minor units',
      'IDR, KRW, JPY, VND and CLP whole, KWD and BHD three decimals, every other currency two',
      'D',
      'lib/shared/currency.ts',
    ],
  ],
  lists: [
    [
      'Pages',
      '`pageSize` (20, at most 100) and `pageToken`; `prevPageToken` and `nextPageToken`, null at the ends; newest first',
      'D',
      'lib/contract/fields.ts',
    ],
    ['Page tokens', 'opaque, tamper-evident, bound to the list and its filters', 'D', 'lib/service/lists.ts'],
    ['Date ranges', '`dateRangeFrom`, `dateRangeTo`, both ends included', 'K/D', 'lib/contract/fields.ts'],
    ['Several values', 'the key repeated, or separated by commas', 'D', 'lib/contract/fields.ts'],
  ],
  'card accounts': [
    [
      'Record',
      'the fields beyond balance, outstanding, available, disputeAmount',
      'D',
      'lib/contract/card-accounts.ts',
    ],
    ['List filters', '`cardAccountId`, `xid`; list key `cardaccounts`', 'D', 'lib/contract/card-accounts.ts'],
    [
      'Aggregate',
      '`groupKey` of xmetadata; accounts without it in the group `""`',
      'K',
      'lib/contract/card-accounts.ts',
    ],
    ['Reporting currency of `value`', 'USD', 'D', 'lib/contract/card-accounts.ts'],
    ['Currencies of an account', 'the twelve that every rate is known of', 'D', 'lib/contract/card-accounts.ts'],
    [
      'Limit of an account',
      'below 1,000,000,000,000; a prepaid account has none',
      'D',
      'lib/contract/card-accounts.ts',
    ],
    [
      'Balance',
      'pending entries count; available is balance + limit for credit, the balance for prepaid',
      'D',
      'lib/service/ledger/entry-changes.ts',
    ],
    [
      'Creation',
      '`name`, `phoneNumber`, `identityType`, `accountType`, `currency`, `limit`, `individual`',
      'K/D',
      'lib/contract/card-accounts.ts',
    ],
    ['Account types', '`prepaid`, `credit`', 'K', 'lib/contract/card-accounts.ts'],
    ['Occupations and positions', 'lists of `{ code, name }`', 'D', 'lib/contract/card-accounts.ts'],
    [
      'Their codes',
      'two closed lists; a service with other codes needs other ones',
      'D',
      'lib/contract/occupations.ts',
    ],
    [
      'Fixed limit',
      'the same shape back with `success` and `error`; the items of an array are judged one by one, at most 1000',
      'D',
      'lib/contract/card-accounts.ts',
    ],
    [
      'Simulated repayment',
      'at most 1000 accounts; an unknown one has null as its currency',
      'D',
      'lib/contract/simulators.ts',
    ],
  ],
  'client identity': [
    ['Address', '`GET /cardaccounts/client-identity`', 'K', 'lib/contract/client-identity.ts'],
    ['Statuses', '`pending`, `approved`, `rejected`', 'K', 'lib/contract/client-identity.ts'],
    ['Resubmission', '`POST /cardaccounts/client-identity` after a rejection', 'K', 'lib/contract/client-identity.ts'],
    ['Identity documents', 'HKID, PASSPORT, NATIONAL_ID', 'D', 'lib/contract/client-identity.ts'],
    [
      'Supporting documents',
      'PASSPORT, VISA, ADDRESS_PROOF and the two sides of the travel permit, as data URIs, at most 20',
      'D',
      'lib/contract/client-identity.ts',
    ],
    ['Given back', 'masked; files never', 'D', 'lib/contract/client-identity.ts'],
    ['Simulator', 'may name the reason, the first of the list otherwise', 'D', 'lib/contract/client-identity.ts'],
  ],
  cards: [
    ['List', '`GET /cards` with `cardAccountId`, `cardId`', 'K', 'lib/contract/cards.ts'],
    ['Date', '`createdAt`, when the card was issued or ordered; it may be absent', 'D', 'lib/contract/cards.ts'],
    ['Lock, unlock, suspend, unsuspend, cancel', '`cardAccountId`, `cardId`', 'K', 'lib/contract/cards.ts'],
    ['Activate', '`last6`, `expiryMonth`, `expiryYear`', 'D', 'lib/contract/cards.ts'],
    ['Change PIN', '`pin`, exactly 6 digits; responds with `{}`', 'K', 'lib/contract/cards.ts'],
    [
      'Card numbers',
      'begin with 9999, a range that no network and no country can own',
      'D',
      'lib/service/card-number.ts',
    ],
    [
      'Limits',
      'cardLimit bounds a month, singleTransactionLimit a charge, the others a day; days and months are Hong Kong’s',
      'D',
      'lib/service/card-limits.ts',
    ],
    [
      'availableLimit',
      'the largest amount that one charge, of whatever kind, would be approved for',
      'D',
      'lib/service/card-limits.ts',
    ],
    [
      'Limits of a new card',
      '999,999,999,999,999 each, which means none: they never bind, whatever the account’s limit becomes',
      'D',
      'lib/contract/terms.ts',
    ],
    ['Production of a physical card', '5 days of sandbox time', 'D', 'lib/service/card-production.ts'],
    ['Issue', '`POST /cards`', 'K/D', 'lib/contract/cards.ts'],
    ['Embossed name', '1 to 22 Latin letters, spaces, hyphens; at least one letter', 'K/D', 'lib/contract/cards.ts'],
    ['Transitions', 'every row but unlock’s', 'D', 'lib/contract/card-actions.ts'],
    [
      'Sensitive information',
      '`cardAccountId`, `cardId`, `ipAddress`; the link opens once, within 60 s, from that address',
      'K/D',
      'lib/contract/cards.ts',
    ],
    [
      'Address that opens it',
      'the socket’s peer; behind proxies the hop that `TRUSTED_PROXY_HOPS` counts from the right of X-Forwarded-For',
      'D',
      'lib/shared/peer-address.ts',
    ],
    [
      'Sensitive information refused',
      'CARD_NOT_ISSUED while pending-issue, INACTIVE_CARD when cancelled',
      'D',
      'lib/contract/cards.ts',
    ],
  ],
  transactions: [
    [
      'List filters',
      '`cardAccountId` (required), `cardId`, `transactionId`, `status`, `xid`, `intent`, date range',
      'K',
      'lib/contract/transactions.ts',
    ],
    ['opts.countryCode', 'an ISO 3166-1 numeric code of the merchant', 'D', 'lib/contract/simulators.ts'],
    ['opts.purchaseAmount', 'the purchase’s total, which becomes `grossAmount`', 'D', 'lib/contract/simulators.ts'],
    [
      'opts.type and opts.cardPresent',
      'PURCHASE or ATM; left out, a purchase, with a physical card present and a virtual one not',
      'D',
      'lib/contract/simulators.ts',
    ],
    [
      'Declined authorization',
      '200 like an approved one; response codes of ISO 8583: 51 balance, 54 expiry, 61 limit, 62 status of the card',
      'D',
      'lib/service/authorization.ts',
    ],
    ['Conversion', 'at the rate of the moment, rounded half up to the minor unit', 'D', 'lib/service/authorization.ts'],
    ['Capture', 'after 24 hours of sandbox time', 'D', 'lib/service/ledger/ledger.ts'],
    [
      'Full reversal',
      'a pending charge becomes void, a posted one is refunded by an entry of its own; once',
      'D',
      'lib/service/ledger/entry-changes.ts',
    ],
    ['Disputes', 'disputeAmount counts what is requested or pending', 'D', 'lib/service/ledger/entry-changes.ts'],
  ],
  fees: [
    [
      'List filters',
      '`feeId`, `intent`, `xid` (of the transaction), `accountId`, date range',
      'K/D',
      'lib/contract/fees.ts',
    ],
    ['Waived', 'the fee becomes `void`, and its transaction with it; once only', 'D', 'lib/service/ledger/fees.ts'],
    ['Charged by the control plane', 'posted at once', 'D', 'lib/service/ledger/fees.ts'],
  ],
  accounts: [
    ['Funding accounts', '`GET /accounts`', 'K', 'lib/contract/accounts.ts'],
    ['Account ledger', '`GET /accounts/transactions`', 'D', 'lib/contract/accounts.ts'],
    ['Ledger entry', 'has `id`, and both `time` and `createdAt`', 'D', 'lib/contract/accounts.ts'],
    [
      'Order of the ledger',
      'by `time`: when the entry moved the balance, and until then when it was recorded; date ranges mean it, too',
      'D',
      'lib/service/payouts/account-ledger.ts',
    ],
  ],
  payouts: [
    ['List filters', '`payoutId`, `accountId`, `xid`', 'K', 'lib/contract/payouts.ts'],
    ['Statuses', 'requested, processing, completed, cancelled, failed; open', 'D', 'lib/contract/payouts.ts'],
    ['Sub-statuses', 'five, open', 'D', 'lib/contract/payouts.ts'],
    [
      'Execute',
      '`POST /payouts` with `quoteId`; the key of idempotency in body or header',
      'K/D',
      'lib/contract/payouts.ts',
    ],
    ['Purposes, sources of funds', 'two closed lists', 'D', 'lib/contract/payouts.ts'],
    ['NETWORK_CARD', 'pays to CN in CNY', 'D', 'lib/contract/payout-rules.ts'],
    ['Countries with banks', 'HK, PH, IN, ID, KR, CN', 'D', 'lib/contract/payout-rules.ts'],
    [
      'Fields that a destination needs',
      'NETWORK_CARD: the interface’s six; BANK_TRANSFER: accountNumber, firstName, surname, address',
      'D',
      'lib/contract/payout-rules.ts',
    ],
    ['Bank account number', '4 to 34 letters, digits, spaces, hyphens', 'D', 'lib/contract/payout-rules.ts'],
    [
      'Address rule',
      'for both methods; all of it has to hold of the characters as given, spaces at the ends among them, or of their pinyin',
      'D',
      'lib/contract/payout-rules.ts',
    ],
    ['Pinyin', 'syllables capitalised, without tones', 'D', 'lib/contract/pinyin.ts'],
    [
      'Decimals of an amount',
      'both amounts are rounded half up to the minor units of their currencies; minimums look at the amount as given, one that comes to 0 is refused, and a destination amount in IDR is whole; with a given destination amount at least one minor unit of the source currency is sent',
      'D',
      'lib/service/payouts/quote-amounts.ts',
    ],
    [
      'Code of a card number that is not 16 to 19 digits',
      'NETWORK_CARD_INVALID_BANK_ACCOUNT, an empty one included, whatever else is wrong; a missing one INVALID_PARAMETERS',
      'D',
      'lib/contract/payout-rules.ts',
    ],
    [
      'Korea rule, e-mail address',
      'judged in a quote as in validate; a text of nothing but spaces is none',
      'D',
      'lib/contract/payout-rules.ts',
    ],
    ['Indonesia rule in validate', 'the same as in a quote', 'D', 'lib/contract/payout-rules.ts'],
    ['Quote lifetime', '60 s, one payout', 'D', 'lib/contract/payouts.ts'],
    ['Source currency', 'the currency of the funding account', 'D', 'lib/service/handlers/payouts.ts'],
    ['destination.type', 'BANK_ACCOUNT, or CARD_ACCOUNT for NETWORK_CARD', 'D', 'lib/service/payouts/payout-record.ts'],
    [
      'Card account number of a NETWORK_CARD payout',
      'only the last four digits are stored and shown',
      'D',
      'lib/service/payouts/payout-record.ts',
    ],
    [
      'Life',
      'by sandbox time; the last four digits of the account number can choose the end',
      'D',
      'lib/service/payouts/payout-steps.ts',
    ],
    ['Bank lookup', '`wireCode`; 8 characters stand for the head office', 'D', 'lib/contract/banks.ts'],
  ],
  rates: [
    ['Query', '`baseCurrency` (required), `currencies`', 'K', 'lib/contract/rates.ts'],
    ['Walk', 'deterministic, moving every 5 s of sandbox time', 'D', 'lib/service/rates.ts'],
  ],
  'external metadata': [
    ['Target types', '`cardaccount`, `card`, `payout`', 'D', 'lib/contract/xmetadata.ts'],
    ['A field that is left out', 'stays as it is', 'D', 'lib/contract/xmetadata.ts'],
  ],
  webhooks: [
    ['Create', '`POST /webhooks` with `url`, `events`, `name`', 'K/D', 'lib/contract/webhooks.ts'],
    [
      'Event names of a webhook',
      'any text of 1 to 128 characters without control characters, known or not',
      'K/D',
      'lib/contract/webhooks.ts',
    ],
    ['List', '`GET /webhooks`, without removed ones', 'K/D', 'lib/contract/webhooks.ts'],
    ['Statistics', '`webhookId`, all when it is omitted', 'K', 'lib/contract/webhooks.ts'],
    ['Status of the statistics', 'from the status of the webhook', 'D', 'lib/contract/webhooks.ts'],
    [
      'Addresses',
      'https anywhere public; http and loopback while the sandbox allows them; exactly the URL of the console’s own inbox always',
      'D',
      'lib/service/webhook-address.ts',
    ],
    [
      'Names at registration',
      'localhost and names of a private network are refused at once, every other name when it is connected to',
      'D',
      'lib/service/webhook-address.ts',
    ],
    [
      'Signature',
      '`x-access-signature`: base64 RSA-SHA256 over the raw body',
      'K/D',
      'lib/signing/webhook-signature.ts',
    ],
    [
      'Success',
      'the status 200 alone, within 15 s; redirects are not followed',
      'K',
      'lib/service/webhooks/transport.ts',
    ],
    [
      'Order',
      'one queue per webhook in the order of events; a message that fails holds back the rest',
      'K',
      'lib/service/webhooks/queue.ts',
    ],
    [
      'Retry',
      'eight attempts: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h after the one before',
      'D',
      'lib/service/webhooks/schedule.ts',
    ],
    [
      'Suspension',
      'a ping every 5 min, the first 5 min after `error`; a 200 lets the queue flow on from the message that failed, the failure of the 288th removes the webhook and its queue',
      'K/D',
      'lib/service/webhooks/schedule.ts',
    ],
    [
      'Initial ping',
      'the first message of the queue, whatever `events` names; it is counted in `queuedMessages`',
      'D',
      'lib/service/webhooks/message.ts',
    ],
    [
      'Attempts that come late',
      'after more than a minute without a running process, the schedule continues from now',
      'D',
      'lib/service/webhooks/schedule.ts',
    ],
    [
      'Connections',
      'every address of a name is judged at each connection, and the judged address is the one connected to; names are looked up by DNS alone, localhost is loopback',
      'D',
      'lib/service/webhooks/transport.ts',
    ],
    [
      'Delivery twice',
      'possible, with the same id and bytes, where the service stops between a response and storing it',
      'D',
      'lib/service/webhooks/dispatcher.ts',
    ],
  ],
  events: [
    ['Names', 'nine beyond the interface’s four; open', 'K/D', 'lib/contract/events.ts'],
    ['data', 'the whole record that the event is about', 'D', 'lib/contract/events.ts'],
  ],
  sandbox: [
    [
      'Clock',
      'tokens, rate limits and delivery time-outs run on real time, all else on the sandbox clock',
      'D',
      'lib/service/steps/admit.ts',
    ],
    [
      'Faults and background requests',
      'a request of urgency 7 (header `Priority: u=7`, RFC 9218: no person waits for it) fails as the others do, and uses none of the armed failures up',
      'D',
      'lib/service/faults/take-fault.ts',
    ],
    [
      'Faults of shape',
      'change a successful response after the work; the response stored under the idempotency key stays the true one',
      'D',
      'lib/service/faults/shapes.ts',
    ],
    [
      'Modes',
      'idempotency keys ignored, replays hidden, identifiers in another form, until changed back or reset',
      'D',
      'lib/service/modes.ts',
    ],
    [
      'Partial capture',
      'the captured amount is posted, the rest is released from `amount` and `grossAmount`',
      'D',
      'lib/service/ledger/entry-changes.ts',
    ],
    [
      'Partial reversal',
      'a pending charge becomes smaller, a posted one gets a refund of that part; together never more than the charge',
      'D',
      'lib/service/ledger/entry-changes.ts',
    ],
    [
      'Clock that is moved while an endpoint hangs',
      'the clock goes on for the others; the webhook catches up before the response, each attempt counting for the time it was due at; after its first time-out the endpoint has 250 ms for each of four more attempts, and later ones in the same call count as failed without a connection',
      'D',
      'lib/service/webhooks/dispatcher.ts',
    ],
    [
      'Latest time of the clock',
      'the start of 9999-12-31; an advance beyond it is a 400 that names `advance`, also as the sum of several',
      'D',
      'lib/service/perform-due-work.ts',
    ],
    [
      'Test of a webhook',
      '`POST /service/control/pings` with `webhookId` → `webhookId`, `delivered`, `status`, `durationMs`, `problem`; a success counts as a ping’s, a failure changes nothing',
      'D',
      'lib/service/control/deliveries.ts',
    ],
  ],
}

export const wireDecisions: readonly WireDecision[] = wireTopics.flatMap((topic) =>
  rows[topic].map(([about, decision, mark, where]) => ({
    id: `${idPart(topic)}.${idPart(about)}`,
    topic,
    about,
    decision,
    mark,
    where,
  })),
)

function idPart(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
