import 'server-only'
import { identifierCell } from '../desk/csv/write.ts'
import { listPayouts, type PayoutFilters } from '../payouts/list.ts'
import type { PayoutRecord } from '../payouts/record.ts'
import { exportOf, metadataCell, mirrorGaps } from './list.ts'

export const payoutExport = exportOf<PayoutRecord>({
  title: 'Payouts',
  permission: 'payouts.read',
  async read(environment, search) {
    const { payouts, nextPageToken, coverage } = await listPayouts(environment, search as PayoutFilters)
    return { rows: payouts, nextPageToken, ...mirrorGaps(coverage, search) }
  },
  columns: [
    { name: 'Id', value: ({ id }) => identifierCell(id) },
    { name: 'xid', value: ({ xid }) => identifierCell(xid) },
    { name: 'Created', value: ({ created }, at) => at(created) },
    { name: 'Updated', value: ({ updated }, at) => at(updated) },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Sub-status', value: ({ subStatus }) => subStatus },
    { name: 'Cancellation reason', value: ({ cancellationReason }) => cancellationReason },
    { name: 'Method', value: ({ method }) => method },
    { name: 'Funding account id', value: ({ accountId }) => identifierCell(accountId) },
    { name: 'Source amount', value: ({ sourceAmount }) => sourceAmount },
    { name: 'Source currency', value: ({ sourceCurrency }) => sourceCurrency },
    { name: 'Rate', value: ({ rate }) => rate },
    { name: 'Destination amount', value: ({ destinationAmount }) => destinationAmount },
    { name: 'Destination currency', value: ({ destinationCurrency }) => destinationCurrency },
    { name: 'Holder', value: ({ destination }) => destination.accountHolderName },
    { name: 'Account number', value: ({ destination }) => identifierCell(destination.accountNumber) },
    { name: 'Bank', value: ({ destination }) => destination.bankName },
    { name: 'Country', value: ({ destination }) => destination.country },
    { name: 'xmetadata', value: ({ xmetadata }) => metadataCell(xmetadata) },
  ],
})
