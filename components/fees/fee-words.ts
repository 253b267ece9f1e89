import { count } from '#components/ui/count.ts'
import type { FeeRow } from '#lib/console/fees.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { accountName } from './fee-account.tsx'

/** What people call a fee: what its transaction says, else its intent as the service names it. */
export function feeTitle({ fee }: Pick<FeeRow, 'fee'>): string {
  return fee.transaction?.description || fee.intent || 'Fee'
}

/** A fee told apart from every other one in a list, for a screen reader. */
export function feeLabel(row: FeeRow): string {
  const { fee, account, change } = row
  const amount = change === null ? '' : `, ${formatAmount(change, fee.currency)} ${fee.currency}`
  return `${feeTitle(row)}${amount}, ${accountName(account)}`
}

/** What waiving brings back: the change with its sign turned. */
export function turned(change: string): string {
  if (/^-?0+(\.0*)?$/.test(change)) return '0'
  return change.startsWith('-') ? change.slice(1) : `-${change}`
}

export function feeCount(fees: number): string {
  return fees === 1 ? '1 fee' : `${count.format(fees)} fees`
}
