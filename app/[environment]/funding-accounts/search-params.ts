import { createLoader } from 'nuqs/server'
import { ledgerParams } from '#components/funding-accounts/ledger-params.ts'

export const loadLedgerParams = createLoader(ledgerParams)
