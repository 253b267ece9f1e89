import { figureText } from '#components/ui/amount.tsx'
import type { BalanceExplanation } from '#lib/console/card-accounts/types.ts'
import { isDifferent, isEqual, isLess, isMore, negated } from '#lib/contract/exact-sum.ts'
import { listed } from '#lib/shared/texts.ts'
import { missingFigures } from './available-reason.ts'

type Explained = Pick<BalanceExplanation, 'account' | 'available' | 'disputed' | 'pendingTaken'>

/**
 * Explains in a sentence or two why the available amount is lower or higher than expected. Where the service's figures
 * do not add up, the sentence says so.
 */
export function balanceSentence(explained: Explained): string {
  const { account, available } = explained
  const { currency } = account
  if (available.stated === null) return 'The card service didn’t provide what is available.'
  const lead = `Available is ${figureText(available.stated, currency)}${currency ? ` ${currency}` : ''}`
  const missing = missingFigures(account)
  if (missing.length > 0) return `${lead}. It can’t be explained: ${listed(missing)} not provided.`
  if (available.difference === null) {
    return `${lead}. How it comes about for an account of the type “${account.accountType ?? 'not provided'}” isn’t known.`
  }
  if (isDifferent(available.difference, 0)) return `${lead}, ${mismatch(explained, available.difference)}`
  const balance = account.accountType === 'prepaid' ? prepaidBalance(account) : creditBalance(account)
  return `${lead}: ${balance}${pendingPart(explained)}.${disputedPart(explained)}`
}

function prepaidBalance({ balance }: Explained['account']): string {
  return isLess(balance, 0) ? 'the account’s balance, which is negative' : 'the account’s balance'
}

function creditBalance({ currency, limit, balance }: Explained['account']): string {
  const lead = `the limit of ${figureText(limit, currency)}`
  if (isLess(balance, 0)) return `${lead}, minus ${figureText(negated(balance), currency)} owed`
  if (isMore(balance, 0)) return `${lead}, plus ${figureText(balance, currency)} held`
  return `${lead}, and nothing is owed`
}

/** Pending charges are in the balance already: all of them are a part of what is owed, unless they are more than it. */
function pendingPart({ account: { accountType, balance, currency }, pendingTaken }: Explained): string {
  if (!isMore(pendingTaken, 0)) return ''
  const pending = figureText(pendingTaken, currency)
  const isOwed = accountType === 'credit' && !isMore(pendingTaken, negated(balance))
  return isOwed ? `, of which ${pending} is pending` : `, with ${pending} of pending charges taken off already`
}

function disputedPart({ account, disputed }: Explained): string {
  if (!isDifferent(disputed.stated, 0)) return ''
  const amount = figureText(disputed.stated, account.currency)
  return ` ${amount} is disputed, which changes nothing in this figure.`
}

function mismatch({ account, available, disputed }: Explained, difference: string): string {
  const from = account.accountType === 'prepaid' ? 'the balance is' : 'limit and balance come to'
  const size = figureText(difference.replace('-', ''), account.currency)
  const direction = isLess(difference, 0) ? 'less' : 'more'
  const isDisputed = isEqual(difference, negated(disputed.stated))
  const cause = isDisputed ? 'It is exactly what is disputed.' : 'The card service doesn’t say what for.'
  return `while ${from} ${figureText(available.expected, account.currency)}: ${size} ${direction} than they explain. ${cause}`
}
