import 'server-only'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { AppError } from '../desk/app-error.ts'
import { listTransactions, type TransactionFilters } from '../transactions/list.ts'
import { exportOf, metadataCell } from './list.ts'

/** The transactions of one account; its id is a part of the search here. */
export const transactionExport = exportOf<CardAccountTransaction>({
  title: 'Transactions of a card account',
  permission: 'accounts.read',
  async read(environment, { cardAccountId, ...search }) {
    if (typeof cardAccountId !== 'string') throw new AppError('INVALID_PARAMETERS', 'cardAccountId must be given once')
    const { transactions, nextPageToken } = await listTransactions(
      environment,
      cardAccountId,
      search as TransactionFilters,
    )
    return { rows: transactions, nextPageToken }
  },
  columns: [
    { name: 'Id', value: ({ id }) => id },
    { name: 'Reference', value: ({ refId }) => refId },
    { name: 'xid', value: ({ xid }) => xid },
    { name: 'Recorded', value: ({ createdAt }, at) => at(createdAt) },
    { name: 'Posted', value: ({ postedAt }, at) => at(postedAt) },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Intent', value: ({ intent }) => intent },
    { name: 'Description', value: ({ description }) => description },
    { name: 'Entry type (DEBIT adds, CREDIT subtracts)', value: ({ entryType }) => entryType },
    {
      name: 'Amount',
      value: ({ amount, entryType }) => (entryType === 'CREDIT' && amount !== null && amount !== 0 ? -amount : amount),
    },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Gross amount', value: ({ grossAmount }) => grossAmount },
    { name: 'Dispute', value: ({ disputeStatus }) => disputeStatus },
    { name: 'Card last 4', value: ({ cardLast4 }) => cardLast4 },
    { name: 'Embossed name', value: ({ cardEmbossedName }) => cardEmbossedName },
    { name: 'Merchant', value: ({ merchant }) => merchant?.name },
    { name: 'MCC', value: ({ merchant }) => merchant?.mcc },
    { name: 'Category', value: ({ merchant }) => merchant?.category },
    { name: 'Merchant country', value: ({ merchant }) => merchant?.country },
    { name: 'Authorized amount', value: ({ authorization }) => authorization?.amount },
    { name: 'Authorized currency', value: ({ authorization }) => authorization?.currency },
    { name: 'Response code', value: ({ authorization }) => authorization?.responseCode },
    { name: 'Response', value: ({ authorization }) => authorization?.responseMessage },
    { name: 'xmetadata', value: ({ xmetadata }) => metadataCell(xmetadata) },
  ],
})
