import { defineActions } from './action.ts'
import { defineReads, forever, list, record, sensitiveRecord } from './read.ts'

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
    staleOn: { payouts: true, accounts: true },
  },
  readFundingThresholds: {
    path: 'funding-accounts/thresholds',
    needs: 'payouts.read',
    poll: record,
    staleOn: { accounts: true },
  },
  listLedger: {
    path: 'funding-accounts/ledger',
    needs: 'payouts.read',
    poll: list,
    staleOn: { payouts: true, accounts: true },
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
