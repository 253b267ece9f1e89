import 'server-only'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { identifierCell } from '../desk/csv/write.ts'
import { listLedger, type LedgerFilters } from '../funding-accounts.ts'
import { exportOf, metadataCell } from './list.ts'

export const ledgerExport = exportOf<AccountTransaction>({
  title: 'Account ledger of the funding accounts',
  permission: 'payouts.read',
  async read(environment, search) {
    const { transactions, nextPageToken } = await listLedger(environment, search as LedgerFilters)
    return { rows: transactions, nextPageToken }
  },
  columns: [
    { name: 'Id', value: ({ id }) => identifierCell(id) },
    { name: 'Time', value: ({ time, createdAt }, at) => at(time ?? createdAt) },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Intent', value: ({ intent }) => intent },
    { name: 'Description', value: ({ description }) => description },
    { name: 'Amount (positive = credit, negative = debit)', value: ({ amount }) => amount },
    { name: 'Asset', value: ({ asset }) => asset },
    { name: 'Balance after', value: ({ balance }) => balance },
    { name: 'Account', value: ({ accountLabel }) => accountLabel },
    { name: 'Account number', value: ({ accountNumber }) => identifierCell(accountNumber) },
    { name: 'From', value: ({ fromAccountLabel }) => fromAccountLabel },
    { name: 'From account number', value: ({ fromAccountNumber }) => identifierCell(fromAccountNumber) },
    { name: 'To', value: ({ toAccountLabel }) => toAccountLabel },
    { name: 'To account number', value: ({ toAccountNumber }) => identifierCell(toAccountNumber) },
    { name: 'Cause (intentId)', value: ({ intentId }) => identifierCell(intentId) },
    { name: 'Cause reference (intentRefId)', value: ({ intentRefId }) => identifierCell(intentRefId) },
    { name: 'xid', value: ({ xid }) => identifierCell(xid) },
    { name: 'Xmetadata', value: ({ Xmetadata }) => metadataCell(Xmetadata) },
  ],
})
