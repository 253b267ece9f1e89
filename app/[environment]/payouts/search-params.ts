import { createLoader } from 'nuqs/server'
import { payoutParams } from '#components/payouts/list/payout-params.ts'

export const loadPayoutParams = createLoader(payoutParams)
