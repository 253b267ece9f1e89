import { auditExport } from './audit.ts'
import { cardAccountExport } from './card-accounts.ts'
import { feeExport } from './fees.ts'
import { ledgerExport } from './ledger.ts'
import type { ExportList } from './list.ts'
import { payoutExport } from './payouts.ts'
import { transactionExport } from './transactions.ts'

/** Every list that can be exported, by the name that its address has. */
export const exportTable: Record<string, ExportList> = {
  'card-accounts': cardAccountExport,
  transactions: transactionExport,
  fees: feeExport,
  payouts: payoutExport,
  ledger: ledgerExport,
  audit: auditExport,
}
