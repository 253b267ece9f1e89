import 'server-only'
import { listFees, type FeeFilters } from '../fees/list.ts'
import type { FeeRow } from '../fees/shapes.ts'
import { exportOf } from './list.ts'

export const feeExport = exportOf<FeeRow>({
  title: 'Fees',
  permission: 'accounts.read',
  async read(environment, search) {
    const { fees, nextPageToken } = await listFees(environment, search as FeeFilters)
    return { rows: fees, nextPageToken }
  },
  columns: [
    { name: 'Id', of: 'fee', value: ({ fee }) => fee.id },
    { name: 'Charged', of: 'charged', value: ({ fee }, at) => at(fee.createdAt) },
    { name: 'Status', of: 'status', value: ({ fee }) => fee.status },
    { name: 'Intent', of: 'intent', value: ({ fee }) => fee.intent },
    { name: 'Amount', of: 'amount', value: ({ fee }) => fee.amount },
    { name: 'Effect on the balance', of: 'amount', value: ({ change }) => change },
    { name: 'Currency', of: 'amount', value: ({ fee }) => fee.currency },
    {
      name: 'Account id or number',
      of: 'account',
      value: ({ account }) => (account?.kind === 'card-account' ? account.id : account?.number),
    },
    {
      name: 'Account',
      of: 'account',
      value: ({ account }) => (account?.kind === 'card-account' ? account.name : account?.label),
    },
    { name: 'Transaction id', value: ({ fee }) => fee.transaction?.id },
    { name: 'Transaction xid', value: ({ fee }) => fee.transaction?.xid },
    { name: 'Description', of: 'fee', value: ({ fee }) => fee.transaction?.description },
    { name: 'Cause (intentId)', value: ({ fee }) => fee.intentId },
  ],
})
