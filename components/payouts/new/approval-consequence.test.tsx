import { expect, test } from 'vitest'
import type { PolicyRule } from '#lib/operations/approvals/policy-rules.ts'
import { payoutConsequence } from './approval-consequence.ts'

const sent = { amount: '10000.00', currency: 'HKD' }
const over = (amount: string, currency = 'HKD'): PolicyRule => ({ topic: 'payouts', when: 'amount', amount, currency })

test.each<[string, PolicyRule[], RegExp]>([
  ['no rule', [], /^Funds leave the account immediately\. Payouts can’t be recalled/],
  ['rules of other topics', [{ topic: 'cancellations', when: 'always' }], /can’t be recalled/],
  ['an amount below the rule', [over('10000.01')], /can’t be recalled/],
  ['an amount of the rule', [over('10000')], /^Another person has to approve/],
  ['every payout', [{ topic: 'payouts', when: 'always' }], /^Another person has to approve/],
  ['a rule in another currency', [over('1', 'USD')], /unless the policy asks/],
  ['a rule about the number', [{ topic: 'payouts', when: 'count', count: 3 }], /unless the policy asks/],
])('the submit dialog says what follows under %s', (_, rules, expected) => {
  expect(payoutConsequence(rules, sent)).toMatch(expected)
})
