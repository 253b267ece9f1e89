import { amountText } from '#components/ui/amount.tsx'
import { count } from '#components/ui/count.ts'
import type { FeeRow } from '#lib/console/fees/types.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import type { StatusTotals } from '#lib/index/types.ts'
import { accountLabel } from './fee-account.tsx'

/** Name of a fee: its transaction's description, else its intent. */
export function feeTitle({ fee }: Pick<FeeRow, 'fee'>): string {
  return fee.transaction?.description || (fee.intent ? feeIntentTitle(fee.intent) : 'Fee')
}

/** A fee distinguished from every other one in a list, for a screen reader. */
export function feeLabel(row: FeeRow): string {
  const { fee, account, change } = row
  const amount = change === null ? '' : `, ${amountText(change, fee.currency)}`
  return `${feeTitle(row)}${amount}, ${accountLabel(account)}`
}

/** How many fees of a filter can be waived: void ones cannot. Null where it is not known. */
export type Waivable = number | null

export function countWaivable(totals: StatusTotals | undefined): Waivable {
  if (!totals) return null
  const statuses = totals.currencies.flatMap((currency) => currency.statuses)
  return statuses.reduce((sum, { status, records }) => (status === 'void' ? sum : sum + records), 0)
}

/** Labels for selecting all matching fees, besides the fees selected one by one. */
export function selectionText(waivable: Waivable): string {
  return waivable === null ? 'Select all waivable' : `All ${count.format(waivable)} waivable`
}

/** The button that leads to the preview, with how many it is about. */
export function waiveText(waivable: Waivable): string {
  return waivable === null ? 'Waive all…' : `Waive ${count.format(waivable)}…`
}
