import type { CardAccount } from '#lib/contract/records.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { compareAmounts, exactSum } from '#lib/shared/exact-sum.ts'

/** Why `available` is what it is, in a sentence; the sum is shown only where it is the service's own figure. */
export function availableReason(account: CardAccount): string {
  const { accountType, balance, limit, available, currency } = account
  const text = (amount: number) => formatAmount(amount, currency)
  const pending = 'Pending charges are in the balance already.'
  if (accountType === 'credit' && compareAmounts(exactSum([balance, limit]), available) === 0) {
    return `Balance ${text(balance)} + limit ${text(limit)} = ${text(available)} ${currency}. ${pending}`
  }
  if (accountType === 'prepaid' && compareAmounts(balance, available) === 0) {
    return `A prepaid account can spend its balance, and has no limit beyond it. ${pending}`
  }
  return 'Stated by the service; it is not simply the balance and the limit.'
}
