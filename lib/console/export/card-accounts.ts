import 'server-only'
import { listCardAccounts, type CardAccountFilters, type CardAccountRow } from '../card-accounts/list.ts'
import { identifierCell } from '../desk/csv/write.ts'
import { exportOf, metadataCell, mirrorGaps } from './list.ts'

export const cardAccountExport = exportOf<CardAccountRow>({
  title: 'Card accounts',
  permission: 'accounts.read',
  async read(environment, search) {
    const { rows, nextPageToken, coverage } = await listCardAccounts(environment, search as CardAccountFilters)
    return { rows, nextPageToken, ...mirrorGaps(coverage, search) }
  },
  columns: [
    { name: 'Id', value: ({ account }) => identifierCell(account.id) },
    { name: 'xid', value: ({ account }) => identifierCell(account.xid) },
    { name: 'Name', value: ({ account }) => account.name },
    { name: 'Account type', value: ({ account }) => account.accountType },
    { name: 'Identity', value: ({ account }) => account.clientIdentityStatus },
    { name: 'Rejection reason', value: ({ rejectedReason }) => rejectedReason },
    { name: 'Currency', value: ({ account }) => account.currency },
    { name: 'Limit', value: ({ account }) => account.limit },
    { name: 'Balance', value: ({ account }) => account.balance },
    { name: 'Outstanding', value: ({ account }) => account.outstanding },
    { name: 'Available', value: ({ account }) => account.available },
    { name: 'Disputed', value: ({ account }) => account.disputeAmount },
    { name: 'Cards', value: ({ cards }) => cards },
    { name: 'Group', value: ({ group }) => group },
    { name: 'Created', value: ({ account }, at) => at(account.createdAt) },
    { name: 'As of', value: ({ asOf }, at) => at(asOf) },
    { name: 'xmetadata', value: ({ account }) => metadataCell(account.xmetadata) },
  ],
})
