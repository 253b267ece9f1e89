import 'server-only'
import { payoutReads } from '#lib/api/payouts.ts'
import { implement } from '#lib/gate/implement.ts'
import { readBank, listPayoutBanks } from '../banks.ts'
import { listFundingAccounts, listLedger } from '../funding-accounts.ts'
import { readFundingThresholds } from '../funding-thresholds.ts'
import { readPayout } from './detail.ts'
import { listPayouts } from './list.ts'
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
