import { amountText, figureText } from '#components/ui/amount.tsx'
import { exactSum, isEqual } from '#lib/contract/exact-sum.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { listed } from '#lib/shared/texts.ts'

type Figures = Pick<CardAccount, 'accountType' | 'balance' | 'limit' | 'available' | 'currency'>

/** The names of the figures that the available amount consists of and that the service did not provide. */
export function missingFigures({ accountType, balance, limit }: Figures): string[] {
  return [
    ...(accountType === null ? ['account type'] : []),
    ...(balance === null ? ['balance'] : []),
    ...(accountType === 'credit' && limit === null ? ['limit'] : []),
  ]
}

/** Explains `available` in a sentence; the sum is shown only where it equals the service's own figure. */
export function availableReason(account: Figures): string {
  const { accountType, balance, limit, available, currency } = account
  if (available === null) return 'The card service didn’t provide it.'
  const missing = missingFigures(account)
  if (missing.length > 0) return `It can’t be explained: ${listed(missing)} not provided.`
  const pending = 'Pending charges are in the balance already.'
  if (accountType === 'credit' && isEqual(exactSum([balance, limit]), available)) {
    return `Balance ${figureText(balance, currency)} + limit ${figureText(limit, currency)} = ${amountText(available, currency)}. ${pending}`
  }
  if (accountType === 'prepaid' && isEqual(balance, available)) {
    return `A prepaid account can spend its balance, and has no limit beyond it. ${pending}`
  }
  return 'It isn’t simply the balance and the limit.'
}
