import { figureText } from '#components/ui/amount.tsx'
import type { BalanceExplanation } from '#lib/console/card-accounts/shapes.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'
import { missingFigures } from './available-reason.ts'

type Explained = Pick<BalanceExplanation, 'account' | 'available' | 'disputed' | 'pendingTaken'>

/**
 * Explains in a sentence or two why the available amount is lower or higher than expected. Where the service's figures
 * do not add up, the sentence says so.
 */
export function balanceSentence(explained: Explained): string {
  const { account, available } = explained
  const { currency } = account
  if (available.stated === null) return 'The API didn’t provide what is available.'
  const lead = `Available is ${currency ? `${currency} ` : ''}${figureText(available.stated, currency)}`
  const missing = missingFigures(account)
  if (missing.length > 0) return `${lead}. It can’t be explained: ${missing.join(' and ')} not provided.`
  if (available.expected === null || available.difference === null) {
    return `${lead}: the service states it, and the interface does not say how it comes about for an account of the type “${account.accountType ?? 'not provided'}”.`
  }
  if (compareAmounts(available.difference, 0) !== 0) return `${lead}, ${mismatch(explained)}`
  const parts = account.accountType === 'prepaid' ? prepaidParts(explained) : creditParts(explained)
  return `${lead}: ${parts}.${disputedPart(explained)}`
}

function creditParts({ account, pendingTaken }: Explained): string {
  const { currency, limit, balance } = account
  if (balance === null) return ''
  const text = (amount: number | string | null) => figureText(amount, currency)
  const owed = String(balance).replace('-', '')
  const hasPending = pendingTaken !== null && compareAmounts(pendingTaken, 0) > 0
  if (compareAmounts(balance, 0) >= 0) {
    const held = compareAmounts(balance, 0) === 0 ? 'and nothing is owed' : `plus ${text(balance)} held`
    return `the limit of ${text(limit)}, ${held}${hasPending ? `, with ${text(pendingTaken)} of pending charges taken off already` : ''}`
  }
  const isWithin = pendingTaken !== null && compareAmounts(pendingTaken, owed) <= 0
  const pending = isWithin
    ? `, of which ${text(pendingTaken)} is pending`
    : `, with ${text(pendingTaken)} of pending charges taken off already`
  return `the limit of ${text(limit)}, minus ${text(owed)} owed${hasPending ? pending : ''}`
}

function prepaidParts({ account, pendingTaken }: Explained): string {
  const pending = figureText(pendingTaken, account.currency)
  const isNegative = account.balance !== null && compareAmounts(account.balance, 0) < 0
  const balance = isNegative ? 'the account’s balance, which is negative' : 'the account’s balance'
  return pendingTaken !== null && compareAmounts(pendingTaken, 0) > 0
    ? `${balance}, with ${pending} of pending charges taken off already`
    : balance
}

function disputedPart({ account, disputed }: Explained): string {
  if (disputed.stated === null || compareAmounts(disputed.stated, 0) === 0) return ''
  const amount = figureText(disputed.stated, account.currency)
  return ` ${amount} is disputed, which changes nothing in this figure.`
}

function mismatch({ account, available, disputed }: Explained): string {
  const text = (amount: string) => figureText(amount.replace('-', ''), account.currency)
  const { expected, difference } = available
  if (expected === null || difference === null) return ''
  const from = account.accountType === 'prepaid' ? 'the balance is' : 'limit and balance come to'
  const direction = compareAmounts(difference, 0) < 0 ? 'less' : 'more'
  const isDisputed = disputed.stated !== null && compareAmounts(difference, `-${disputed.stated}`) === 0
  const cause = isDisputed ? 'It is exactly what is disputed.' : 'The API doesn’t say what for.'
  return `while ${from} ${figureText(expected, account.currency)}: ${text(difference)} ${direction} than they explain. ${cause}`
}
