import { expect, test } from 'vitest'
import type { PolicyTerms } from '#lib/operations/approvals/types.ts'
import { policyChanges } from './policy-changes.ts'

const inForce: PolicyTerms = {
  rules: [{ topic: 'payouts', when: 'always' }],
  helpDesk: {},
  expiryHours: 24,
  tolerancePercent: '1',
}

test('the changes of a policy are the rules that come and go and the terms that differ, nothing else', () => {
  expect(policyChanges(inForce, inForce)).toEqual([])
  const proposed: PolicyTerms = {
    ...inForce,
    rules: [{ topic: 'payouts', when: 'amount', amount: '10000', currency: 'HKD' }],
    helpDesk: { lock: 'immediate' },
    expiryHours: 12,
  }
  expect(policyChanges(inForce, proposed)).toEqual([
    { label: 'New rule', value: 'Payouts of 10,000.00 HKD or more.' },
    { label: 'No longer', value: 'All payouts.' },
    { label: 'Help desks can request', value: 'Lock card (at once). Now: Nothing.' },
    { label: 'A request expires after', value: '12 h. Now: 24 h.' },
  ])
})
