import 'server-only'
import { listCardAccounts, type CardAccountFilters } from '../card-accounts/list.ts'
import type { CardAccountRow } from '../desk/shapes.ts'
import { exportOf, metadataCell, mirrorGaps } from './list.ts'

export const cardAccountExport = exportOf<CardAccountRow>({
  title: 'Card accounts',
  permission: 'accounts.read',
  async read(environment, search) {
    const { rows, nextPageToken, coverage } = await listCardAccounts(environment, search as CardAccountFilters)
    return { rows, nextPageToken, ...mirrorGaps(coverage, search) }
  },
  columns: [
    { name: 'Id', of: 'name', value: ({ account }) => account.id },
    { name: 'xid', of: 'name', value: ({ account }) => account.xid },
    { name: 'Name', of: 'name', value: ({ account }) => account.name },
    { name: 'Account type', of: 'type', value: ({ account }) => account.accountType },
    { name: 'Identity', of: 'identity', value: ({ account }) => account.clientIdentityStatus },
    { name: 'Rejection reason', value: ({ rejectedReason }) => rejectedReason },
    { name: 'Currency', of: 'balance', value: ({ account }) => account.currency },
    { name: 'Limit', value: ({ account }) => account.limit },
    { name: 'Balance', of: 'balance', value: ({ account }) => account.balance },
    { name: 'Outstanding', of: 'outstanding', value: ({ account }) => account.outstanding },
    { name: 'Available', of: 'available', value: ({ account }) => account.available },
    { name: 'Disputed', of: 'disputeAmount', value: ({ account }) => account.disputeAmount },
    { name: 'Cards', of: 'cards', value: ({ cards }) => cards },
    { name: 'Group', of: 'group', value: ({ group }) => group },
    { name: 'Created', value: ({ account }, at) => at(account.createdAt) },
    { name: 'As of', value: ({ asOf }, at) => at(asOf) },
    { name: 'xmetadata', value: ({ account }) => metadataCell(account.xmetadata) },
  ],
})
