import 'server-only'
import type { AccountTransaction } from '#lib/contract/records.ts'
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
    { name: 'Id', of: 'description', value: ({ id }) => id },
    { name: 'Time', of: 'time', value: ({ time, createdAt }, at) => at(time ?? createdAt) },
    { name: 'Status', of: 'status', value: ({ status }) => status },
    { name: 'Intent', of: 'intent', value: ({ intent }) => intent },
    { name: 'Description', of: 'description', value: ({ description }) => description },
    { name: 'Amount (positive = credit, negative = debit)', of: 'amount', value: ({ amount }) => amount },
    { name: 'Asset', of: 'amount', value: ({ asset }) => asset },
    { name: 'Balance after', of: 'balance', value: ({ balance }) => balance },
    { name: 'Account', value: ({ accountLabel }) => accountLabel },
    { name: 'Account number', value: ({ accountNumber }) => accountNumber },
    { name: 'From', of: 'description', value: ({ fromAccountLabel }) => fromAccountLabel },
    { name: 'From account number', value: ({ fromAccountNumber }) => fromAccountNumber },
    { name: 'To', of: 'description', value: ({ toAccountLabel }) => toAccountLabel },
    { name: 'To account number', value: ({ toAccountNumber }) => toAccountNumber },
    { name: 'Cause (intentId)', of: 'cause', value: ({ intentId }) => intentId },
    { name: 'Cause reference (intentRefId)', value: ({ intentRefId }) => intentRefId },
    { name: 'xid', value: ({ xid }) => xid },
    { name: 'Xmetadata', value: ({ Xmetadata }) => metadataCell(Xmetadata) },
  ],
})
