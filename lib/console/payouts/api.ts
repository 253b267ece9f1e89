import 'server-only'
import { payoutReads } from '#lib/api/payouts.ts'
import { implement } from '#lib/gate/implement.ts'
import { readBank, listPayoutBanks } from '../banks.ts'
import { listFundingAccounts, listLedger } from '../funding-accounts.ts'
import { readFundingThresholds, setFundingThreshold } from '../funding-thresholds.ts'
import { readPayout } from './detail.ts'
import { listPayouts } from './list.ts'
import { quotePayout, validatePayout } from './quote.ts'
import { readPayoutToRepeat } from './repeat.ts'

export const payoutApi = implement(payoutReads, {
  listPayouts,
  readPayout,
  readPayoutToRepeat,
  readBank,
  listPayoutBanks,
  listFundingAccounts,
  readFundingThresholds,
  listLedger,
})

export const payoutHandlers = { quotePayout, validatePayout, setFundingThreshold }
