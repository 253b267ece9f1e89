import type { PolicyRule } from '#lib/operations/approvals/policy-rules.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'

/**
 * What submitting a payout of this amount leads to under the policy's rules, as sentences. Whether a count rule or one in
 * another currency applies is known only to the server.
 */
export function payoutConsequence(rules: readonly PolicyRule[], sent: { amount: string; currency: string }): string {
  const own = rules.filter(({ topic }) => topic === 'payouts')
  const isHeld = own.some(
    (rule) =>
      rule.when === 'always' ||
      (rule.when === 'amount' && rule.currency === sent.currency && compareAmounts(sent.amount, rule.amount) >= 0),
  )
  if (isHeld) return 'Another person has to approve this payout. Funds leave the account after that.'
  const mayBeHeld = own.some(
    (rule) => rule.when === 'count' || (rule.when === 'amount' && rule.currency !== sent.currency),
  )
  if (mayBeHeld) return 'Funds leave the account immediately, unless the policy asks another person to approve first.'
  return 'Funds leave the account immediately. Payouts can’t be recalled here.'
}
