import { expect, test } from 'vitest'
import type { Approval } from '#lib/operations/approvals/types.ts'
import { decidedText, decisionText, effectText, requestTitle, toApprovalBadge } from './approval-labels.ts'

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

test('the badge of an approved request is good only where it was done, or may yet be', () => {
  const badge = (outcome: Approval['outcome']) => toApprovalBadge({ state: 'approved', outcome })
  expect(badge('done')).toMatchObject({ label: 'Approved and done', tone: 'good' })
  expect(badge('refused')).toMatchObject({ label: 'Approved, but not done', tone: 'warn' })
  expect(badge(null)).toMatchObject({ label: 'Approved', tone: 'good' })
  expect(toApprovalBadge({ state: 'declined', outcome: null })).toMatchObject({ label: 'Declined', tone: 'bad' })
})

test('a request that has ended says by whom', () => {
  const decidedBy = { id: 'o', name: 'Olivia Poon', role: 'operations' as const }
  expect(decidedText({ state: 'withdrawn', decidedBy })).toBe('Olivia Poon withdrew this request.')
  expect(decidedText({ state: 'approved', decidedBy: null })).toBe('This request is approved.')
  expect(decidedText({ state: 'expired', decidedBy: null })).toBe('This request has expired.')
})

test('a payout that waits says what a new quote keeps and costs, and whether it will be needed', () => {
  const effect = 'Debits the funding account 1,200.00 HKD and pays 1,100.04 CNH to Maria Santos.'
  const terms = { sourceAmount: '1200', maximumSourceAmount: '1212', sourceCurrency: 'HKD', hasExpired: false }
  const approval = { state: 'waiting', effect, target: { label: '1,100.04 CNH to Maria Santos' }, refunds: [] }
  const payout = { destinationAmount: '1100.04', destinationCurrency: 'CNH' }
  const effectOf = (change: object) => effectText({ approval, terms, payout, limits: [], ...change } as never)
  expect(effectOf({})).toBe(
    `${effect} If the quote expires first, a new one is made: the beneficiary still receives 1,100.04 CNH, and at most 1,212.00 HKD is debited.`,
  )
  expect(effectOf({ terms: { ...terms, hasExpired: true } })).toBe(
    'The quote of 1,200.00 HKD has expired, so a new one is made on approval: the beneficiary still receives 1,100.04 CNH, and the funding account is debited at most 1,212.00 HKD. Pays 1,100.04 CNH to Maria Santos.',
  )
  expect(effectOf({ approval: { ...approval, state: 'approved' } })).toBe(effect)
  expect(effectOf({ terms: null, payout: null })).toBe(effect)
})

test('a job says what it returns by currency, and which limits it sets', () => {
  const job = (refunds: object[], limits: object[] = []) =>
    effectText({ approval: { effect: 'Waive 40 fees.', refunds }, terms: null, payout: null, limits } as never)
  const usd = { currency: 'USD', whole: '407.97', excluded: 0 }
  expect(job([usd])).toBe('Waive 40 fees. Returns 407.97 USD to the accounts.')
  expect(
    job([
      { ...usd, excluded: 2 },
      { ...usd, currency: 'KRW', whole: '1200' },
    ]),
  ).toBe(
    'Waive 40 fees. Returns 407.97 USD and 1,200 KRW to the accounts, excluding 2 fees without an amount or direction.',
  )
  expect(job([{ ...usd, whole: null, excluded: 40 }])).toBe(
    'Waive 40 fees. The amount returned is not known: 40 fees without an amount or direction.',
  )
  const limits = { currency: 'HKD', lowest: '1000', highest: '5000', raised: 1, rows: 12 }
  expect(job([], [limits, { ...limits, currency: 'USD', lowest: '5000', raised: 0, rows: 1 }])).toBe(
    'Waive 40 fees. New limits: 1,000.00 to 5,000.00 HKD, 1 of 12 raised. New limit: 5,000.00 USD, 0 of 1 raised.',
  )
})
