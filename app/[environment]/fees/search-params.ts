import { createLoader } from 'nuqs/server'
import { feeParams } from '#components/fees/fee-params.ts'

export const loadFeeParams = createLoader(feeParams)
