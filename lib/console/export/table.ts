import { auditExport } from './audit.ts'
import { cardAccountExport } from './card-accounts.ts'
import type { ExportList } from './list.ts'
import { transactionExport } from './transactions.ts'

/** Every list that can be exported, by the name that its address has. */
export const exportTable: Record<string, ExportList> = {
  'card-accounts': cardAccountExport,
  transactions: transactionExport,
  audit: auditExport,
}
