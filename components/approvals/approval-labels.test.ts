import { expect, test } from 'vitest'
import type { Approval } from '#lib/operations/approvals/types.ts'
import { decisionText, requestTitle } from './approval-labels.ts'

const card = { type: 'card', label: 'card ending 4242' }
const account = { type: 'cardaccount', label: 'Olive Lee' }

test.each([
  ['card.lock', card, 'Lock card ending 4242'],
  ['card.replace', card, 'Replace card ending 4242'],
  ['card.change-pin', card, 'Change PIN: card ending 4242'],
  ['account.set-limit', account, 'Set fixed limit: Olive Lee'],
  ['card.cancel', { ...card, label: null }, 'Cancel card'],
  ['payout.submit', { type: 'payout', label: 'Maria Santos' }, 'Maria Santos'],
  ['tomorrow.act', account, 'Olive Lee'],
])('the request %s of %j is titled %s', (kind, target, title) => {
  expect(requestTitle({ subject: 'operation', kind, topic: 'help-desk', target } as Approval)).toBe(title)
})

test('a bulk job keeps its own title', () => {
  const target = { type: 'bulk-job', label: 'Waive 12 fees' }
  expect(requestTitle({ subject: 'bulk-job', kind: 'fee.waive', topic: 'bulk-jobs', target } as Approval)).toBe(
    target.label,
  )
})

test('an approved request is said to be done only where it was', () => {
  expect(decisionText('approved', 'done')).toBe('Approved and done')
  expect(decisionText('approved', 'refused')).toBe('Approved, but not done')
  expect(decisionText('approved', 'unknown')).toBe('Approved, not confirmed yet')
  expect([decisionText('approved', null), decisionText('declined', null)]).toEqual(['Approved', 'Declined'])
})
