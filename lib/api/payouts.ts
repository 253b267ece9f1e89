import { defineActions } from './action.ts'
import { defineReads, forever, list, record, sensitiveRecord } from './read.ts'
import { amountRange, dateRange, defineSearch, id, text, texts } from './search.ts'

export const payoutSearch = defineSearch(
  {
    q: text(200),
    status: texts(200),
    method: text(200),
    sourceCurrency: text(64),
    destinationCurrency: text(64),
    accountId: text(200),
    /** When the payout was created. */
    ...dateRange,
  },
  // Amounts of different currencies have no order.
  { created: [], updated: [], sourceAmount: ['sourceCurrency'], destinationAmount: ['destinationCurrency'] },
)

/** The entries of the funding accounts' ledger. */
export const ledgerSearch = defineSearch(
  {
    /** Free text: description, a name, an external id, the id of an entry or of its cause, or an end of one. */
    q: text(200),
    accountId: id,
    intent: text(100),
    status: text(100),
    currency: text(64),
    /** In either direction. */
    ...amountRange,
    /** When it moved the balance, or else was recorded. */
    ...dateRange,
  },
  // Amounts of different currencies have no order.
  { time: [], amount: ['currency'] },
)

const ofBanks = { needs: 'payouts.read', poll: { staleAfter: 60_000 } } as const

export const payoutReads = defineReads({
  listPayouts: {
    path: 'payouts',
    needs: 'payouts.read',
    poll: list,
    staleOn: { payouts: true },
    sensitive: () => ({ type: 'list', id: 'payouts', parentId: null, label: 'Payouts' }),
  },
  readPayout: {
    path: 'payouts/[payoutId]',
    needs: 'payouts.read',
    poll: record,
    staleOn: { payouts: true },
    sensitive: sensitiveRecord('payout'),
  },
  readPayoutToRepeat: {
    path: 'payouts/[payoutId]/repeat',
    needs: 'payouts.submit',
    // Read once: what was changed since is the person's. Never cached: it names a beneficiary.
    poll: { staleAfter: forever, keepFor: 0 },
    staleOn: { payouts: true },
    sensitive: sensitiveRecord('payout'),
  },
  readBank: { ...ofBanks, path: 'banks', example: '?wireCode=HSBCHKHH' },
  listPayoutBanks: { ...ofBanks, path: 'banks/countries/[countryCode]' },
  listFundingAccounts: {
    path: 'funding-accounts',
    needs: 'payouts.read',
    poll: record,
    staleOn: { payouts: true, 'funding-accounts': true },
  },
  readFundingThresholds: {
    path: 'funding-accounts/thresholds',
    needs: 'payouts.read',
    poll: record,
    staleOn: { 'funding-accounts': true },
  },
  listLedger: {
    path: 'funding-accounts/ledger',
    needs: 'payouts.read',
    poll: list,
    staleOn: { payouts: true, 'funding-accounts': true },
  },
  readLedgerEntry: {
    path: 'funding-accounts/ledger/[entryId]',
    needs: 'payouts.read',
    poll: record,
    staleOn: { payouts: true, 'funding-accounts': true },
  },
})

export const payoutActions = defineActions({
  'payout.submit': {
    needs: 'payouts.submit',
    noun: 'payout',
    label: 'Submit payout',
    creates: true,
    done: 'Payout submitted',
    changes: ['payouts', 'funding-accounts', 'overview'],
  },
  quotePayout: { needs: 'payouts.submit', act: 'payout.quote', label: 'Get payout quote' },
  validatePayout: { needs: 'payouts.submit', act: 'payout.validate', label: 'Validate payout' },
  setFundingThreshold: {
    needs: 'payouts.submit',
    act: 'funding.threshold',
    label: 'Set funding threshold',
    changes: ['funding-accounts', 'overview'],
  },
})
