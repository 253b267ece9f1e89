import { createLoader } from 'nuqs/server'
import { bankParams } from '#components/banks/bank-params.ts'

export const loadBankParams = createLoader(bankParams)
