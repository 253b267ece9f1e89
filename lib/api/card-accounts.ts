import { defineActions, fileTooLarge } from './action.ts'
import { defineReads, list, record, sensitiveRecord } from './read.ts'
import { checked, choice, days, defineSearch, text } from './search.ts'

const yes = choice('yes')

/** The column of the list that shows a key of metadata: `metadata-region`. */
export const metadataColumn = 'metadata-'

/** Pairs of key and value, as `URLSearchParams` writes them. */
const pairs = checked(
  2000,
  (text) => (new URLSearchParams(text).toString() === text ? undefined : 'These are no groups.'),
  'must be pairs of key and value',
)

/** Types and statuses are open sets. */
export const cardAccountSearch = defineSearch(
  {
    q: text(200),
    currency: text(64),
    accountType: text(64),
    identity: text(64),
    /** Accounts that have a card of this status, as far as cards were read. */
    cardStatus: text(64),
    /** Accounts over their limit, or near it. */
    limit: choice('over', 'near'),
    outstanding: yes,
    disputed: yes,
    /** Accounts with a disputed amount and a dispute that is this many days old or older, by the service's clock. */
    disputeDays: days(3650),
    group: text(256),
    ungrouped: yes,
    /** Groups of other keys: `region=Kowloon`; an empty value means accounts without the key. */
    within: pairs,
  },
  {
    createdAt: [],
    name: [],
    balance: [],
    outstanding: [],
    available: [],
    disputeAmount: [],
    cards: [],
    disputedSince: ['disputed', 'disputeDays'],
  },
)

/** The groups of other keys that the list is filtered by, as pairs of key and value; an empty value: accounts without the key. */
export function groupsWithin({ within }: { within?: string | null | undefined }): [string, string][] {
  return [...new URLSearchParams(within ?? '')]
}

export const cardAccountReads = defineReads({
  listCardAccounts: {
    path: 'card-accounts',
    needs: 'accounts.read',
    poll: list,
    staleOn: { card: true, cardaccount: true, cardaccounts: true },
  },
  readAggregateBalances: {
    path: 'card-accounts/aggregate-balances',
    needs: 'accounts.read',
    poll: { keepsRows: true },
    staleOn: { card: true, cardaccount: true, cardaccounts: true },
  },
  listMetadataKeys: {
    path: 'card-accounts/metadata-keys',
    needs: 'accounts.read',
    poll: { staleAfter: 60_000 },
    staleOn: { cardaccounts: true },
  },
  readCardAccount: {
    path: 'card-accounts/[cardAccountId]',
    needs: 'accounts.read',
    poll: record,
    staleOn: { card: ({ cardAccountId }) => [cardAccountId], cardaccount: ({ id }) => [id], cardaccounts: true },
    sensitive: sensitiveRecord('cardaccount'),
  },
  explainBalance: {
    path: 'card-accounts/[cardAccountId]/balance',
    needs: 'accounts.read',
    // Reads all entries of an account.
    poll: { every: 60_000 },
    staleOn: { cardaccount: ({ id }) => [id], cardaccounts: true },
  },
})

export const cardAccountActions = defineActions({
  'account.open': {
    needs: 'accounts.open',
    noun: 'account',
    label: 'Open card account',
    creates: true,
    done: 'Account opened',
    note: 'Its identity is pending.',
    refused: fileTooLarge,
    changes: ['card-accounts', 'identity', 'overview'],
  },
})
