import 'server-only'
import { identifierCell } from '../desk/csv/write.ts'
import { listFees, type FeeFilters, type FeeRow } from '../fees/list.ts'
import { exportOf } from './list.ts'

export const feeExport = exportOf<FeeRow>({
  title: 'Fees',
  permission: 'accounts.read',
  async read(environment, search) {
    const { fees, nextPageToken } = await listFees(environment, search as FeeFilters)
    return { rows: fees, nextPageToken }
  },
  columns: [
    { name: 'Id', value: ({ fee }) => identifierCell(fee.id) },
    { name: 'Charged', value: ({ fee }, at) => at(fee.createdAt) },
    { name: 'Status', value: ({ fee }) => fee.status },
    { name: 'Intent', value: ({ fee }) => fee.intent },
    { name: 'Amount', value: ({ fee }) => fee.amount },
    { name: 'Effect on the balance', value: ({ change }) => change },
    { name: 'Currency', value: ({ fee }) => fee.currency },
    {
      name: 'Account id or number',
      value: ({ account }) => identifierCell(account?.kind === 'card-account' ? account.id : account?.number),
    },
    { name: 'Account', value: ({ account }) => (account?.kind === 'card-account' ? account.name : account?.label) },
    { name: 'Transaction id', value: ({ fee }) => identifierCell(fee.transaction?.id) },
    { name: 'Transaction xid', value: ({ fee }) => identifierCell(fee.transaction?.xid) },
    { name: 'Description', value: ({ fee }) => fee.transaction?.description },
    { name: 'Cause (intentId)', value: ({ fee }) => identifierCell(fee.intentId) },
  ],
})
