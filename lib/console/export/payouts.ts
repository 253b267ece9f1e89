import 'server-only'
import { listPayouts, type PayoutFilters } from '../payouts/list.ts'
import type { PayoutRecord } from '../payouts/shapes.ts'
import { exportOf, metadataCell, mirrorGaps } from './list.ts'

export const payoutExport = exportOf<PayoutRecord>({
  title: 'Payouts',
  permission: 'payouts.read',
  async read(environment, search) {
    const { payouts, nextPageToken, coverage } = await listPayouts(environment, search as PayoutFilters)
    return { rows: payouts, nextPageToken, ...mirrorGaps(coverage, search) }
  },
  columns: [
    { name: 'Id', of: 'beneficiary', value: ({ id }) => id },
    { name: 'xid', of: 'beneficiary', value: ({ xid }) => xid },
    { name: 'Created', of: 'created', value: ({ created }, at) => at(created) },
    { name: 'Updated', of: 'updated', value: ({ updated }, at) => at(updated) },
    { name: 'Status', of: 'status', value: ({ status }) => status },
    { name: 'Sub-status', of: 'status', value: ({ subStatus }) => subStatus },
    { name: 'Cancellation reason', value: ({ cancellationReason }) => cancellationReason },
    { name: 'Method', of: 'method', value: ({ method }) => method },
    { name: 'Funding account id', value: ({ accountId }) => accountId },
    { name: 'Source amount', of: 'sourceAmount', value: ({ sourceAmount }) => sourceAmount },
    { name: 'Source currency', of: 'sourceAmount', value: ({ sourceCurrency }) => sourceCurrency },
    { name: 'Rate', value: ({ rate }) => rate },
    { name: 'Destination amount', of: 'destinationAmount', value: ({ destinationAmount }) => destinationAmount },
    { name: 'Destination currency', of: 'destinationAmount', value: ({ destinationCurrency }) => destinationCurrency },
    { name: 'Holder', of: 'beneficiary', value: ({ destination }) => destination.accountHolderName },
    { name: 'Account number', value: ({ destination }) => destination.accountNumber },
    { name: 'Bank', value: ({ destination }) => destination.bankName },
    { name: 'Country', value: ({ destination }) => destination.country },
    { name: 'xmetadata', value: ({ xmetadata }) => metadataCell(xmetadata) },
  ],
})
