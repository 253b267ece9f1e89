import { defineReads, list, record } from './read.ts'
import { amountRange, checked, dateRange, days, defineSearch, id, refuseCardNumber, text, texts } from './search.ts'

/** The issue of a text that is an id or an external id, whole; undefined where it is valid. */
export function findProblem(text: string): string | undefined {
  return refuseCardNumber(text) ?? (text.length > 256 ? 'An external ID has at most 256 characters.' : undefined)
}

/** The transactions of an account, or of one of its cards. */
export const transactionSearch = defineSearch({
  /** A transaction's id, or its external id: one field for people who have either. */
  find: checked(256, findProblem, 'must be an id'),
  cardId: id,
  status: text(100),
  intent: texts(100),
  ...dateRange,
})

function last4Problem(text: string): string | undefined {
  return /^\d{4}$/.test(text) ? undefined : 'Enter the last four digits.'
}

/** The transactions of the whole program. */
export const programTransactionSearch = defineSearch(
  {
    q: text(200),
    status: texts(64),
    intent: texts(64),
    responseCode: texts(64),
    /** The reason of a decline, as the service words it. */
    responseMessage: text(200),
    /** A part of the merchant's name. */
    merchant: text(200),
    mcc: texts(16),
    currency: text(16),
    ...amountRange,
    cardAccountId: id,
    cardId: id,
    cardLast4: checked(4, last4Problem, 'must be four digits'),
    /** `open`: requested or pending. */
    dispute: text(64),
    /** Open disputes that are this many days old or older, by the service's clock. */
    disputeDays: days(3650),
    /** When it was first recorded. */
    ...dateRange,
  },
  // Amounts of different currencies have no order.
  { createdAt: [], disputeOpenedAt: [], amount: ['currency'] },
)

export const transactionReads = defineReads({
  listTransactions: {
    path: 'card-accounts/[cardAccountId]/transactions',
    needs: 'accounts.read',
    poll: list,
    staleOn: { cardaccount: ({ id }) => [id], cardaccounts: true },
  },
  readTransaction: {
    path: 'card-accounts/[cardAccountId]/transactions/[transactionId]',
    needs: 'accounts.read',
    poll: record,
    staleOn: { cardaccount: ({ id }) => [id], cardaccounts: true },
  },
  listProgramTransactions: {
    path: 'transactions',
    needs: 'accounts.read',
    poll: list,
    staleOn: { cardaccount: true, cardaccounts: true },
  },
  listDeclineReasons: {
    path: 'transactions/declines',
    needs: 'accounts.read',
    poll: list,
    staleOn: { cardaccount: true, cardaccounts: true },
  },
})
