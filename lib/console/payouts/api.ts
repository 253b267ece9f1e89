import 'server-only'
import { payoutReads } from '#lib/api/payouts.ts'
import { implement } from '#lib/gate/implement.ts'
import { readBank, listPayoutBanks } from '../banks.ts'
import { listFundingAccounts } from '../funding-accounts.ts'
import { readFundingThresholds, setFundingThreshold } from '../funding-thresholds.ts'
import { listLedger, readLedgerEntry } from '../ledger/list-ledger.ts'
import { listPayouts } from './list-payouts.ts'
import { quotePayout, validatePayout } from './quote-payout.ts'
import { readPayout } from './read-payout.ts'
import { readPayoutToRepeat } from './repeat-payout.ts'

export const payoutApi = implement(payoutReads, {
  listPayouts,
  readPayout,
  readPayoutToRepeat,
  readBank,
  listPayoutBanks,
  listFundingAccounts,
  readFundingThresholds,
  listLedger,
  readLedgerEntry,
})

export const payoutHandlers = { quotePayout, validatePayout, setFundingThreshold }
