import { expect, test } from 'vitest'
import { approvalNeeded } from './approval-ahead.tsx'

test('a request is held by the rules of its topic; what only the server knows is a maybe', () => {
  const always = { topic: 'cancellations', when: 'always' } as const
  const counted = { topic: 'cancellations', when: 'count', count: 5 } as const
  expect(approvalNeeded([always], { topic: 'cancellations' })).toBe('yes')
  expect(approvalNeeded([always], { topic: 'payouts' })).toBe('no')
  expect(approvalNeeded([counted], { topic: 'cancellations' })).toBe('maybe')
  expect(approvalNeeded([counted, always], { topic: 'cancellations' })).toBe('yes')
  const raises = [{ topic: 'limit-raises', when: 'amount', amount: '10000', currency: 'HKD' }] as const
  expect(approvalNeeded(raises, { topic: 'limit-raises', amount: '10000', currency: 'HKD' })).toBe('yes')
  expect(approvalNeeded(raises, { topic: 'limit-raises', amount: '9999.99', currency: 'HKD' })).toBe('no')
  expect(approvalNeeded(raises, { topic: 'limit-raises', amount: '1', currency: 'USD' })).toBe('maybe')
  const jobs = [{ topic: 'bulk-jobs', when: 'count', count: 10 }] as const
  expect(approvalNeeded(jobs, { topic: 'bulk-jobs', rows: 9 })).toBe('no')
  expect(approvalNeeded(jobs, { topic: 'bulk-jobs', rows: 10 })).toBe('yes')
  const totals = [{ topic: 'bulk-jobs', when: 'amount', amount: '10', currency: 'HKD' }] as const
  expect(approvalNeeded(totals, { topic: 'bulk-jobs', rows: 9 })).toBe('maybe')
  expect(approvalNeeded(totals, { topic: 'bulk-jobs', rows: 9, amount: null })).toBe('no')
  const raised = { topic: 'limit-raises', amount: '10000', currency: 'HKD' } as const
  expect(approvalNeeded([...raises, ...jobs], { topic: 'bulk-jobs', rows: 9 }, raised)).toBe('yes')
})
