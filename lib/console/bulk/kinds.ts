import type { OperationKind } from '../desk/operations/kinds.ts'
import type { Permission } from '../desk/permissions.ts'

/** A column of what the person saw of a row. An amount is shown with the row's `currency`. */
export type FactColumn = { key: string; name: string; isAmount?: boolean }

type Kind = {
  /** The permission to start, pause, resume or cancel it; checked for the starter before each row. */
  permission: Permission
  /** The columns of a row's facts, in their order on the screen and in the CSV. */
  facts: readonly FactColumn[]
}

/** What can be done to many at once. */
export const bulkKinds = {
  'fee.waive': {
    permission: 'fees.waive',
    facts: [
      { key: 'account', name: 'Account' },
      { key: 'intent', name: 'Intent' },
      { key: 'amount', name: 'Amount', isAmount: true },
      { key: 'currency', name: 'Currency' },
    ],
  },
  'account.set-limit': {
    permission: 'limits.set',
    facts: [
      { key: 'account', name: 'Account' },
      { key: 'limitBefore', name: 'Limit before', isAmount: true },
      { key: 'limit', name: 'New limit', isAmount: true },
      { key: 'currency', name: 'Currency' },
    ],
  },
} as const satisfies Partial<Record<OperationKind, Kind>>

export type BulkKind = keyof typeof bulkKinds
