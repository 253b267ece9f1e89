/**
 * Everything that the interface leaves open and this project decided. To connect a real service, compare this list with
 * that service, and change what differs in the file that each decision is listed under.
 */
export type WireDecision = {
  /** Topic and title in lower case with hyphens, such as `requests.rate-limit`. */
  id: string
  topic: string
  about: string
  decision: string
  /** `D`: decided here, a free choice that may be wrong for a real service. `K`: known to be how such a service does it. */
  mark: 'D' | 'K' | 'K/D'
  /** Where the decision is implemented, from the root of the project. */
  where: string
}

type Known = Pick<WireDecision, 'decision' | 'mark'>
const known = (decision: string): Known => ({ decision, mark: 'K' })
const partlyKnown = (decision: string): Known => ({ decision, mark: 'K/D' })

/** By topic and file. A decision without a mark of its own is `D`. */
const topics: Record<string, Record<string, Record<string, string | Known>>> = {
  addresses: {
    'lib/service/handle.ts': {
      'Base address': '`<console origin>/service/v1` for the built-in service',
    },
    'lib/service/control': {
      'Control plane': '`<console origin>/service/control/…`, the sandbox alone',
    },
    'lib/service/sandboxes': {
      'Sandboxes of their own': '`<console origin>/service/sandboxes/<id>/v1` and `…/control`',
    },
    'lib/contract/openapi.ts': {
      'Interface description': 'OpenAPI 3.1 at `GET /openapi.json`, without authentication',
    },
  },
  authentication: {
    'lib/signing/request-token.ts': {
      Algorithm: known('RS256 alone, RSA keys of 2048 bits or more'),
      'Claim uri': known('path and query exactly as on the request line, without a host'),
      'Claim method': known('upper case'),
      Lifetime: partlyKnown('signed for 25 s, accepted up to 30 s, with a leeway of 5 s'),
      'Claim jti': 'random, so that no two tokens are the same; not required',
    },
    'lib/signing/digest.ts': {
      'Claim body': known('lower-case hex SHA-256 of the raw body; without a body the hash of nothing, or no claim'),
    },
    'lib/service/steps/authenticate.ts': {
      'Codes of a 401':
        'INVALID_SIGNATURE, INVALID_ACCESS_KEY for whatever cannot be parsed, TOKEN_EXPIRED for every claim of time, TOKEN_REPLAYED',
      'HTTP Basic':
        'the sandbox alone; SANDBOX_BASIC_AUTH=off refuses it, at the control plane too, which takes request tokens as the interface does',
    },
    'lib/service/steps/used-tokens.ts': {
      'Replayed tokens':
        'one token, one effect: a token whose POST took effect is a 401 TOKEN_REPLAYED until it dies; under the same idempotency key the stored response is sent again',
    },
  },
  requests: {
    'lib/service/steps/replay.ts': {
      Idempotency: partlyKnown(
        'header `Idempotency-Key` or the body’s `idempotencyKey`; responses stored 24 h, replayed with `Idempotency-Replayed: true`, 409 IDEMPOTENCY_CONFLICT for another body or path',
      ),
    },
    'lib/contract/fields.ts': {
      'Form of the idempotency key': '1 to 255 visible characters',
      Amounts: 'JSON numbers of at most 15 digits; decimal arithmetic inside',
      xid: partlyKnown('1 to 256 characters; taken by any other resource: 409 XID_ALREADY_EXISTS'),
      'Phone numbers': 'E.164 as text: `+`, then 7 to 15 digits that do not begin with 0',
      'Currency codes': 'three upper-case letters, CNH included',
    },
    'lib/service/steps/render.ts': {
      'Request id': known('`x-request-id` on every response'),
      Success: '200 everywhere, creations included',
      'Database not available':
        'a lock, a statement or a connection that takes too long is a 503; the same key may be sent again',
    },
    'lib/service/steps/admit.ts': {
      'Rate limit': partlyKnown(
        'per Access Key, endpoint and minute, 1200; headers X-Ratelimit-*; over it 429 RATE_LIMITED with Retry-After',
      ),
    },
    'lib/service/steps/execute.ts': {
      'Long arrays':
        'two calls of an Access Key with more than 50 items run at once; others wait 5 s, then 429 RATE_LIMITED with Retry-After',
      'Malformed input':
        '400 INVALID_PARAMETERS that names every wrong field at once, broken rules beside wrong shapes; what is a 404 or takes a record’s state comes after it',
    },
    'lib/service/steps/read-body.ts': {
      'Size and type of a body': 'over 1 MiB 413, not JSON in UTF-8 415',
    },
    'lib/launch/http-limits.ts': {
      'Large bodies':
        'beyond 8 kB of each: 64 MiB in 5 s of an Access Key, 4 MiB of an address without one; then 503 with Retry-After',
    },
    'lib/service/steps/parse-json.ts': {
      Numbers: '400 INVALID_PARAMETERS where a double would lose digits',
    },
    'lib/service/steps/route.ts': {
      'Unknown path, wrong method': '404 NOT_FOUND, 405 METHOD_NOT_ALLOWED with Allow',
    },
    'lib/contract/errors.ts': {
      'Codes of unknown records': '404 with a code of the record’s own',
    },
    'lib/shared/currency.ts': {
      'Minor units': 'IDR, KRW, JPY, VND and CLP whole, KWD and BHD three decimals, every other currency two',
    },
  },
  lists: {
    'lib/contract/fields.ts': {
      Pages:
        '`pageSize` (20, at most 100) and `pageToken`; `prevPageToken` and `nextPageToken`, null at the ends; newest first',
      'Date ranges': partlyKnown('`dateRangeFrom`, `dateRangeTo`, both ends included'),
      'Several values': 'the key repeated, or separated by commas',
    },
    'lib/service/lists.ts': {
      'Page tokens': 'opaque, tamper-evident, bound to the list and its filters',
    },
  },
  'card accounts': {
    'lib/contract/card-accounts.ts': {
      Record: 'the fields beyond balance, outstanding, available, disputeAmount',
      'List filters': '`cardAccountId`, `xid`; list key `cardaccounts`',
      Aggregate: known('`groupKey` of xmetadata; accounts without it in the group `""`'),
      'Reporting currency of `value`': 'USD',
      'Currencies of an account': 'those with exchange rates',
      'Limit of an account': 'below 1,000,000,000,000; a prepaid account has none',
      Creation: partlyKnown('`name`, `phoneNumber`, `identityType`, `accountType`, `currency`, `limit`, `individual`'),
      'Account types': known('`prepaid`, `credit`'),
      'Occupations and positions': 'lists of `{ code, name }`',
      'Fixed limit':
        'the same shape back with `success` and `error`; the items of an array are judged one by one, at most 1000',
    },
    'lib/service/ledger/entry-changes.ts': {
      Balance: 'pending entries count; available is balance + limit for credit, the balance for prepaid',
    },
    'lib/contract/occupations.ts': {
      'Their codes': 'two closed lists; a service with other codes needs other ones',
    },
    'lib/contract/simulators.ts': {
      'Simulated repayment': 'at most 1000 accounts; an unknown one has null as its currency',
    },
  },
  'client identity': {
    'lib/contract/client-identity.ts': {
      Address: known('`GET /cardaccounts/client-identity`'),
      Statuses: known('`pending`, `approved`, `rejected`'),
      Resubmission: known('`POST /cardaccounts/client-identity` after a rejection'),
      'Identity documents': 'HKID, PASSPORT, NATIONAL_ID',
      'Supporting documents':
        'PASSPORT, VISA, ADDRESS_PROOF and the two sides of the travel permit, as data URIs, at most 20',
      'Given back': 'masked; files never',
      Simulator: 'may name the reason, the first of the list otherwise',
    },
  },
  cards: {
    'lib/contract/cards.ts': {
      List: known('`GET /cards` with `cardAccountId`, `cardId`'),
      Date: '`createdAt`, when the card was issued or ordered; it may be absent',
      'Lock, unlock, suspend, unsuspend, cancel': known('`cardAccountId`, `cardId`'),
      Activate: '`last6`, `expiryMonth`, `expiryYear`',
      'Change PIN': known('`pin`, exactly 6 digits; responds with `{}`'),
      Issue: partlyKnown('`POST /cards`'),
      'Embossed name': partlyKnown('1 to 22 Latin letters, spaces, hyphens; at least one letter'),
      'Sensitive information': partlyKnown(
        '`cardAccountId`, `cardId`, `ipAddress`; the link opens once, within 60 s, from that address',
      ),
      'Sensitive information refused': 'CARD_NOT_ISSUED while pending-issue, INACTIVE_CARD when cancelled',
      'Production of a physical card': '5 days of sandbox time',
    },
    'lib/service/card-number.ts': {
      'Card numbers': 'begin with 9999, a range that no network and no country can own',
    },
    'lib/contract/charge-rule.ts': {
      Limits:
        'cardLimit bounds a month, singleTransactionLimit a charge, the others a day; days and months are Hong Kong’s',
    },
    'lib/service/card-limits.ts': {
      availableLimit: 'the largest amount that one charge, of whatever kind, would be approved for',
    },
    'lib/contract/terms.ts': {
      'Limits of a new card':
        '999,999,999,999,999 each, which means none: they never bind, whatever the account’s limit becomes',
    },
    'lib/contract/card-actions.ts': {
      Transitions: 'every row but unlock’s',
    },
    'lib/shared/peer-address.ts': {
      'Address that opens it':
        'the socket’s peer; behind proxies the hop that `TRUSTED_PROXY_HOPS` counts from the right of X-Forwarded-For',
    },
  },
  transactions: {
    'lib/contract/transactions.ts': {
      'List filters': known(
        '`cardAccountId` (required), `cardId`, `transactionId`, `status`, `xid`, `intent`, date range',
      ),
    },
    'lib/contract/simulators.ts': {
      'opts.countryCode': 'an ISO 3166-1 numeric code of the merchant',
      'opts.purchaseAmount': 'the purchase’s total, which becomes `grossAmount`',
      'opts.type and opts.cardPresent':
        'PURCHASE or ATM; left out, a purchase, with a physical card present and a virtual one not',
    },
    'lib/service/authorization.ts': {
      'Declined authorization':
        '200 like an approved one; response codes of ISO 8583: 51 balance, 54 expiry, 61 limit, 62 status of the card',
      Conversion: 'at the rate of the moment, rounded half up to the minor unit',
    },
    'lib/contract/charge-rule.ts': {
      Capture: 'after 24 hours of sandbox time',
    },
    'lib/service/ledger/entry-changes.ts': {
      'Full reversal': 'a pending charge becomes void, a posted one is refunded by an entry of its own; once',
      Disputes: 'disputeAmount counts what is requested or pending',
    },
  },
  fees: {
    'lib/contract/fees.ts': {
      'List filters': partlyKnown('`feeId`, `intent`, `xid` (of the transaction), `accountId`, date range'),
    },
    'lib/service/ledger/fees.ts': {
      Waived: 'the fee becomes `void`, and its transaction with it; once only',
      'Charged by the control plane': 'posted at once',
    },
  },
  accounts: {
    'lib/contract/accounts.ts': {
      'Funding accounts': known('`GET /accounts`'),
      'Account ledger': '`GET /accounts/transactions`',
      'Ledger entry': 'has `id`, and both `time` and `createdAt`',
    },
    'lib/service/payouts/account-ledger.ts': {
      'Order of the ledger':
        'by `time`: when the entry was posted, or recorded if it was not, which no later step changes; date ranges mean it, too',
    },
  },
  payouts: {
    'lib/contract/payouts.ts': {
      'List filters': known('`payoutId`, `accountId`, `xid`'),
      Statuses: 'requested, processing, completed, cancelled, failed; open',
      'Sub-statuses': 'five, open',
      Execute: partlyKnown('`POST /payouts` with `quoteId`; the key of idempotency in body or header'),
      'Purposes, sources of funds': 'two closed lists',
      'Quote lifetime': '60 s, one payout',
    },
    'lib/contract/payout-rules.ts': {
      NETWORK_CARD: 'pays to CN in CNY',
      'Countries with banks': 'HK, PH, IN, ID, KR, CN',
      'Fields that a destination needs':
        'NETWORK_CARD: the interface’s six; BANK_TRANSFER: accountNumber, firstName, surname, address',
      'Bank account number': '4 to 34 letters, digits, spaces, hyphens',
      'Address rule':
        'for both methods; all of it has to hold of the characters as given, spaces at the ends among them, or of their pinyin',
      'Code of a card number that is not 16 to 19 digits':
        'NETWORK_CARD_INVALID_BANK_ACCOUNT, an empty one included, whatever else is wrong; a missing one INVALID_PARAMETERS',
      'Korea rule, e-mail address': 'judged in a quote as in validate; a text of nothing but spaces is none',
      'Indonesia rule in validate': 'the same as in a quote',
    },
    'lib/contract/pinyin.ts': {
      Pinyin: 'syllables capitalised, without tones',
    },
    'lib/service/payouts/quote-amounts.ts': {
      'Decimals of an amount':
        'both amounts are rounded half up to the minor units of their currencies; minimums look at the amount as given, one that comes to 0 is refused, and a destination amount in IDR is whole; with a given destination amount at least one minor unit of the source currency is sent',
    },
    'lib/service/handlers/payouts.ts': {
      'Source currency': 'the currency of the funding account',
    },
    'lib/service/payouts/payout-record.ts': {
      'destination.type': 'BANK_ACCOUNT, or CARD_ACCOUNT for NETWORK_CARD',
      'Card account number of a NETWORK_CARD payout': 'only the last four digits are stored and shown',
    },
    'lib/service/payouts/payout-steps.ts': {
      Life: 'by sandbox time; the last four digits of the account number can choose the end',
      'Ledger entries of a payout':
        'posted at execution; one that is cancelled or fails is given back by a second posted entry',
    },
    'lib/contract/banks.ts': {
      'Bank lookup': '`wireCode`; 8 characters stand for the head office',
    },
  },
  rates: {
    'lib/contract/rates.ts': {
      Query: known('`baseCurrency` (required), `currencies`'),
    },
    'lib/service/rates.ts': {
      Walk: 'deterministic, moving every 5 s of sandbox time',
    },
  },
  'external metadata': {
    'lib/contract/xmetadata.ts': {
      'Target types': '`cardaccount`, `card`, `payout`',
      'A field that is left out': 'stays as it is',
    },
  },
  webhooks: {
    'lib/contract/webhooks.ts': {
      Create: partlyKnown('`POST /webhooks` with `url`, `events`, `name`'),
      'Event names of a webhook': partlyKnown(
        'any text of 1 to 128 characters without control characters, known or not; the built-in service refuses one that is a letter or two beside a known one',
      ),
      List: partlyKnown('`GET /webhooks`, without removed ones'),
      Statistics: known('`webhookId`, all when it is omitted'),
      'Status of the statistics': 'from the status of the webhook',
    },
    'lib/service/webhook-address.ts': {
      Addresses:
        'https anywhere public; http and loopback while the sandbox allows them; exactly the URL of the console’s own inbox always',
      'Names at registration':
        'localhost and names of a private network are refused at once, every other name when it is connected to',
    },
    'lib/signing/webhook-signature.ts': {
      Signature: partlyKnown('`x-access-signature`: base64 RSA-SHA256 over the raw body'),
    },
    'lib/service/webhooks/transport.ts': {
      Success: known('the status 200 alone, within 15 s; redirects are not followed'),
      Connections:
        'every address of a name is judged at each connection, and the judged address is the one connected to; names are looked up by DNS alone, localhost is loopback',
    },
    'lib/service/webhooks/queue.ts': {
      Order: known('one queue per webhook in the order of events; a message that fails holds back the rest'),
    },
    'lib/contract/webhook-retries.ts': {
      Retry: 'eight attempts: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h after the one before',
    },
    'lib/service/webhooks/schedule.ts': {
      Suspension: partlyKnown(
        'a ping every 5 min, the first 5 min after `error`; a 200 lets the queue flow on from the message that failed, the failure of the 288th removes the webhook and its queue',
      ),
      'Attempts that come late': 'after more than a minute without a running process, the schedule continues from now',
    },
    'lib/service/webhooks/message.ts': {
      'Initial ping': 'the first message of the queue, whatever `events` names; it is counted in `queuedMessages`',
    },
    'lib/service/webhooks/dispatcher.ts': {
      'Delivery twice':
        'possible, with the same id and bytes, where the service stops between a response and storing it',
    },
  },
  events: {
    'lib/contract/events.ts': {
      Names: partlyKnown('nine beyond the interface’s four; open'),
      data: 'the whole record that the event is about',
    },
  },
  sandbox: {
    'lib/service/steps/admit.ts': {
      Clock: 'tokens, rate limits and delivery time-outs run on real time, all else on the sandbox clock',
    },
    'lib/service/faults/take-fault.ts': {
      'Faults and background requests':
        'a request of urgency 7 (header `Priority: u=7`, RFC 9218: no person waits for it) fails as the others do, and uses none of the armed failures up',
    },
    'lib/service/faults/response-mutations.ts': {
      'Faults of shape':
        'change a successful response after the work; the response stored under the idempotency key stays the true one',
    },
    'lib/service/modes.ts': {
      Modes: 'idempotency keys ignored, replays hidden, identifiers in another form, until changed back or reset',
    },
    'lib/service/ledger/entry-changes.ts': {
      'Partial capture': 'the captured amount is posted, the rest is released from `amount` and `grossAmount`',
      'Partial reversal':
        'a pending charge becomes smaller, a posted one gets a refund of that part; together never more than the charge',
    },
    'lib/service/webhooks/dispatcher.ts': {
      'Clock that is moved while an endpoint hangs':
        'the clock goes on for the others; the webhook catches up before the response, each attempt counting for the time it was due at; after its first time-out the endpoint has 250 ms for each of four more attempts, and later ones in the same call count as failed without a connection',
    },
    'lib/service/perform-due-work.ts': {
      'Latest time of the clock':
        'the start of 9999-12-31; an advance beyond it is a 400 that names `advance`, also as the sum of several',
    },
    'lib/service/control/deliveries.ts': {
      'Test of a webhook':
        '`POST /service/control/pings` with `webhookId` → `webhookId`, `delivered`, `status`, `durationMs`, `problem`; a success counts as a ping’s, a failure changes nothing',
    },
  },
}

export const wireDecisions: readonly WireDecision[] = Object.entries(topics).flatMap(([topic, files]) =>
  Object.entries(files).flatMap(([where, decisions]) =>
    Object.entries(decisions).map(([about, decided]) => ({
      id: `${idPart(topic)}.${idPart(about)}`,
      topic,
      about,
      ...(typeof decided === 'string' ? { decision: decided, mark: 'D' } : decided),
      where,
    })),
  ),
)

function idPart(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
