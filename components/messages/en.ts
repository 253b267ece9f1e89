import { accountTypeLabels, identityTable } from '#components/card-accounts/account-labels.ts'
import { cardStatusTable } from '#components/cards/card-status.ts'
import { reasonEntry } from '#components/identity/rejection-reasons.ts'
import { payoutMethodLabels } from '#components/payouts/code-labels.ts'
import { payoutStatusTable, payoutSubStatusTable } from '#components/payouts/payout-labels.ts'
import {
  declineText,
  disputeStatusTable,
  intentTitle,
  transactionStatusTable,
} from '#components/transactions/transaction-labels.ts'
import { findOperationDefinition } from '#lib/api/actions.ts'
import type { EmbedType, LookUpField } from '#lib/api/embed-view.ts'
import type { RequestKind, RequestWay } from '#lib/api/help-desk-requests.ts'
import type { RequestState } from '#lib/console/embed/types.ts'
import { countryLabel } from '#lib/contract/country-names.ts'
import { type Reason, reasonLabels } from '#lib/shared/reasons.ts'
import { asSentence } from '#lib/shared/texts.ts'
import { declineEn } from './decline-en.ts'
import { toTexts } from './parts.ts'

const ask = 'Reload the page. If that doesn’t help, ask your Carddesk administrator.'

/** The catalogue in English. The texts of codes are those of the console's tables. */
export const en = {
  /** Texts of the frame of an embedded view, in `public/embed-view.js`. A word in braces is a value. */
  frame: {
    helpDesksOnly: 'This page is for help desks.',
    refused: `Carddesk refused this view. ${ask}`,
    expired: `This view has expired. ${ask}`,
    noToken: `The help desk got no access to Carddesk. ${ask}`,
    notFound: 'There is no such record in Carddesk.',
    unreachable: 'Carddesk isn’t responding. Trying again.',
    service: 'Carddesk can’t reach the card service. Trying again.',
    limited: 'Too many views were opened. Trying again in a minute.',
    CUSTOMER_NOT_FOUND: 'No customer was found in Carddesk.',
    CUSTOMER_AMBIGUOUS: 'Several customers were found. Look for this one in Carddesk.',
    back: 'Back to {title}',
    sandbox: 'Sandbox',
    status: 'Status',
    changed: '{title}: {status}',
    copy: 'Copy',
    copyLabel: 'Copy {label}',
    copied: 'Copied',
    notCopied: 'Not copied',
    copiedLabel: '{label} copied',
    copyRefused: 'The browser didn’t let {label} be copied',
    open: 'Open in Carddesk',
    live: 'Live · {time}',
    copyFrom: 'Copy from {time}, {age}',
    dataFrom: 'Carddesk isn’t responding. Trying again. Data from {time}, {age}',
    underAMinute: 'less than a minute ago',
    outOfDate: 'The data may be out of date',
    upToDate: 'The data is live',
    requests: 'Requests',
    reason: 'Reason',
    note: 'Note',
    notNow: 'Not now',
    requestSent: 'Request sent',
    requestFailed: 'The request wasn’t sent. Try again.',
    INVALID_PARAMETERS: 'Choose a reason, and say what it is if it’s another one. A note can’t hold a card number.',
    noteRefused: 'A note can’t hold a card number.',
    ALREADY_WAITING: 'The same request is waiting already.',
    ALREADY_UNDER_WAY: 'Somebody has started the same before you.',
    OPERATION_MISMATCH: 'This request was sent before with another text.',
    REQUEST_NOT_ALLOWED: 'This can no longer be requested here.',
    TOO_MANY_ATTEMPTS: 'Too many requests were sent. Try again in a minute.',
  },
  /** Texts of `public/embed.js` where the frame can't be loaded. It holds a copy of them. */
  host: {
    notAllowed: 'Carddesk doesn’t allow this page to show it. Ask your Carddesk administrator.',
    unreachable: 'Carddesk isn’t responding. Trying again.',
  },
  /** A payout's receipt or confirmation, as it is printed. A word in braces is a value. */
  receipt: {
    receiptOf: 'Receipt of the payout to {name}',
    confirmationOf: 'Confirmation of the payout to {name}',
    title: 'Payout to {name}',
    testData: 'Sandbox. This is test data, no money was moved.',
    asOf: 'As of {time}.',
    notResponding: 'The card service isn’t responding. As of {time}.',
    amounts: 'Amounts',
    fromAccount: 'From the account',
    toBeneficiary: 'To the beneficiary',
    fundingAccount: 'Funding account',
    fundingAccountId: 'Funding account ID',
    beneficiary: 'Beneficiary',
    name: 'Name',
    bankAddress: 'Bank’s address',
    wireCode: 'Wire code',
    routingNumber: 'Routing number',
    country: 'Country',
    address: 'Address',
    payout: 'Payout',
    method: 'Method',
    status: 'Status',
    subStatus: 'Sub-status',
    reason: 'Reason',
    noReason: 'No reason was given.',
    lastChanged: 'Last changed',
    fullStop: '.',
  },
  kinds: {
    customer: 'Customer',
    'card-account': 'Card account',
    card: 'Card',
    transaction: 'Transaction',
    payout: 'Payout',
  } satisfies Record<EmbedType, string>,
  /** "card ending 4242", "customer Olive Lee": what a frame is called. */
  nameOf(kind: string, title: string): string {
    const noun = kind.toLowerCase()
    return title.toLowerCase().startsWith(noun) ? `${noun}${title.slice(noun.length)}` : `${noun} ${title}`
  },
  lastCopy: 'Carddesk can’t reach the card service. This is its last copy.',
  hongKongTime: 'HKT',
  separator: ', ',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  notProvided: 'not provided',
  currencyNotProvided: '(currency not provided)',
  missingCode: { label: 'Not provided', meaning: 'The card service didn’t provide it.' },
  unknownCode: 'Shown as the card service sent it.',

  cardAccounts: 'Card accounts',
  noCardAccounts: 'No card accounts',
  cardAccountCount: (count: number) => (count === 1 ? '1 card account' : `${count} card accounts`),
  foundBy: {
    xid: 'found by External ID',
    email: 'found by e-mail address',
    phone: 'found by phone number',
  } satisfies Record<LookUpField, string>,
  openCases: 'Open cases',
  noOpenCases: 'No open cases',
  nothingOpen: 'No amount is in dispute, and no change is waiting.',
  openCaseCount: (count: number, isCut: boolean) =>
    count === 1 ? '1 open case' : `${count} open cases${isCut ? ' or more' : ''}`,
  openCasesBelow: 'Disputes and changes that are waiting are listed below.',
  lastDeclines: 'Last declines',
  nothingDeclined: 'Nothing was declined',
  change: 'Change',
  operation: (kind: string): string | undefined => findOperationDefinition(kind)?.label,
  requestedAt: (time: string) => `requested ${time}`,
  requestKinds: {
    lock: 'Lock card',
    replace: 'Replace card',
    waive: 'Waive fee',
    'call-back': 'Call back',
  } satisfies Record<RequestKind, string>,
  requestQuestions: {
    lock: 'Lock this card?',
    replace: 'Issue a new card in place of this one?',
    waive: 'Waive this fee?',
    'call-back': 'Have the customer called back?',
  } satisfies Record<RequestKind, string>,
  requestWays: {
    approval: 'Nothing happens until Operations approves it.',
    immediate: 'It happens at once.',
    'hand-over': 'Operations finds it in Carddesk.',
  } satisfies Record<RequestWay, string>,
  sendRequest: 'Send request',
  requestStates: {
    waiting: 'Waits for approval',
    declined: 'Declined',
    expired: 'Expired, nothing was done',
    sending: 'Being sent',
    'not-sent': 'Not sent, nothing was done',
    'approved-done': 'Approved and done',
    done: 'Done',
    refused: 'Refused by the card service',
    unknown: 'Outcome not known yet',
    open: 'Waits for Operations',
    taken: 'Taken by Operations',
    finished: 'Finished by Operations',
  } satisfies Record<RequestState, string>,
  ticket: (ticket: string) => `Ticket ${ticket}`,
  expiresAt: (time: string) => `expires ${time}`,
  chooseReason: 'Choose one',
  withoutReason: 'None given',
  reasons: reasonLabels as Readonly<Record<Reason, string>>,
  disputed: 'Disputed',
  disputedAmount: 'Disputed amount',

  accountWithId: (id: string) => `Account ${id}`,
  accountTypes: accountTypeLabels,
  identityStatuses: toTexts(identityTable),
  identity: (status: string) => `Identity ${status.toLowerCase()}`,
  rejection(reason: string): string {
    const entry = reasonEntry(reason)
    return entry ? `${entry.meaning} (${reason})` : reason
  },
  rejectionDocument(reason: string): string | undefined {
    const entry = reasonEntry(reason)
    return entry ? `To request: ${entry.document}` : undefined
  },
  amountDisputed: (amount: string) => `${amount} disputed`,
  toSpend: 'available to spend',
  availableToSpend: 'Available to spend',
  noActiveCard: 'No card of the account is active, so none can be used now.',
  owed: 'Owed by the cardholder',
  balance: 'Balance',
  creditLimit: 'Credit limit',
  phone: 'Phone',
  opened: 'Opened',
  externalId: 'External ID',
  accountId: 'Account ID',

  cards: 'Cards',
  cardsShown: (shown: number, all: number) => `Cards, ${shown} of ${all}`,
  noCards: 'No cards yet',
  cardEnding: (last4: string) => `Card ending ${last4}`,
  cardWithId: (id: string) => `Card ${id}`,
  cardStatuses: toTexts(cardStatusTable),
  statusCount: (count: number, status: string) => `${count} ${status.toLowerCase()}`,
  largestCharge: 'Largest charge possible now',
  availableOnAccount: 'Available on the account',
  expires: 'Expires',
  perCharge: 'Per charge',
  perDay: 'Per day',
  cashPerDay: 'Cash per day',
  replacedBy: 'Replaced by',
  cardId: 'Card ID',

  recentTransactions: 'Recent transactions',
  noTransactions: 'No transactions yet',
  transactionsFailed: 'Transactions couldn’t be loaded.',
  transactionWithId: (id: string) => `Transaction ${id}`,
  transactionStatuses: toTexts(transactionStatusTable),
  intents: intentTitle,
  disputeStatuses: toTexts(disputeStatusTable),
  labelled: (label: string, text: string) => `${label}: ${text}`,
  statement: (label: string, meaning: string) => `${label}. ${meaning}`,
  declined: declineEn,
  decline: declineText,
  nothingCharged: (reason: string) => `${asSentence(reason)} Nothing was charged.`,
  amountNotCharged: 'Amount, not charged',
  amount: 'Amount',
  addedToBalance: 'Added to the balance',
  takenFromBalance: 'Taken from the balance',
  amountRequested: 'Amount requested',
  recorded: 'Recorded',
  posted: 'Posted',
  cardPresent: 'Card present',
  description: 'Description',
  transactionId: 'Transaction ID',
  country: countryLabel,
  /** A merchant's category: the name that the service gave its code. */
  category: (_mcc: string | null, name: string | null): string | null => name,

  payoutTo: (beneficiary: string) => `Payout to ${beneficiary}`,
  unnamedBeneficiary: 'unnamed beneficiary',
  payoutStatuses: toTexts(payoutStatusTable),
  payoutSteps: toTexts(payoutSubStatusTable),
  payoutMethods: payoutMethodLabels,
  /** The reason of a cancellation as the service sent it. */
  cancellation: (reason: string | null) => asSentence(reason ?? 'No reason was given.'),
  recipientGets: 'Recipient gets',
  sent: 'Sent',
  /** Of a payout that was cancelled or failed. */
  toRecipient: 'For the recipient',
  fromAccount: 'From the account',
  step: 'Step',
  cardNumber: 'Card number',
  accountNumber: 'Account number',
  bank: 'Bank',
  rate: 'Rate',
  created: 'Created',
  updated: 'Updated',
  payoutId: 'Payout ID',
}

/** Every text of a language, by key. A language without one of the keys does not compile. */
export type Messages = typeof en
