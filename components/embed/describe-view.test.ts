import { expect, test } from 'vitest'
import { mostCases } from '#lib/api/embed-view.ts'
import type { EmbedRecords } from '#lib/console/embed/types.ts'
import type { PayoutRecord } from '#lib/console/payouts/types.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import type { IndexedTransaction } from '#lib/index/types.ts'
import { exampleCard } from '#lib/qa/scenarios/reproduce/testing.ts'
import { describeView } from './describe-view.ts'

const account = { id: 'A', name: 'Olive Lee', currency: 'HKD', available: 500 } as CardAccount
const limitLabels = ['Per charge', 'Per day', 'Cash per day']

function viewOf(card: Card, transactions: CardAccountTransaction[] = []) {
  return describe({ type: 'card', card, account, transactions }, card.id)
}

function describe(records: EmbedRecords, id: string) {
  const object = { environment: 'sandbox', type: records.type, id, cardAccountId: account.id } as const
  const fetchedAt = '2026-11-26T07:00:00.000Z'
  const reading = { object, records, fetchedAt, isStored: false, hasWays: false, hasLink: true, requests: null }
  return describeView(reading, { language: 'en', timeZone: 'Asia/Hong_Kong' })
}

/** The limits among the facts of a card whose three limits are this one. */
function shownLimits(limit: number | null): [string, string][] {
  const { facts } = viewOf(exampleCard({ singleTransactionLimit: limit, dailyLimit: limit, dailyAtmLimit: limit }))
  return facts.filter(({ label }) => limitLabels.includes(label)).map(({ label, value }) => [label, value])
}

test('a card shows the limits that a charge can reach, and none that only stands for no limit', () => {
  expect(shownLimits(unboundCardLimit - 1)).toEqual(limitLabels.map((label) => [label, '999,999,999,999,998.00 HKD']))
  expect(shownLimits(0)).toEqual(limitLabels.map((label) => [label, '0.00 HKD']))
  for (const none of [unboundCardLimit, unboundCardLimit + 1, null]) expect(shownLimits(none)).toEqual([])
})

test.each([
  ['pending', '26 Nov 2026, 15:00 · Dispute pending'],
  ['escalated', '26 Nov 2026, 15:00 · escalated'],
  [null, '26 Nov 2026, 15:00'],
])('a recent transaction whose dispute is %s says “%s”', (disputeStatus, detail) => {
  const charge = { id: 'T', status: 'posted', createdAt: '2026-11-26T07:00:00.000Z', disputeStatus }
  const { lists } = viewOf(exampleCard({}), [charge as CardAccountTransaction])
  expect(lists.flatMap(({ rows }) => rows.map((row) => row.detail))).toEqual([detail])
})

test.each([
  ['CREDIT', 12.5, '−12.50', 'Taken from the balance', '12.50'],
  // The interface calls a CREDIT a negative value.
  ['CREDIT', -12.5, '−12.50', 'Taken from the balance', '12.50'],
  ['DEBIT', 12.5, '+12.50', 'Added to the balance', '12.50'],
  ['DEBIT', -12.5, '−12.50', 'Added to the balance', '−12.50'],
  ['SOMETHING_NEW', -12.5, '−12.50', 'Amount', '−12.50'],
  [null, 12.5, '12.50', 'Amount', '12.50'],
])('an entry %s of %d is %s among others, and %s %s by itself', (entryType, amount, listed, label, figure) => {
  const transaction = { id: 'T', status: 'posted', currency: 'HKD', amount, entryType } as CardAccountTransaction
  const { lists } = viewOf(exampleCard({}), [transaction])
  expect(lists.flatMap(({ rows }) => rows.map((row) => row.amount?.amount))).toEqual([listed])
  const own = describe({ type: 'transaction', transaction, account, decline: null }, transaction.id)
  expect(own.figures).toMatchObject([{ label, amount: figure }])
})

test('the rate of a payout without a currency says which is missing', () => {
  const payout = { id: 'P', rate: '7.8', sourceCurrency: null, destinationCurrency: 'HKD', destination: {} }
  const { facts } = describe({ type: 'payout', payout: payout as unknown as PayoutRecord }, payout.id)
  expect(facts).toContainEqual(expect.objectContaining({ label: 'Rate', value: '1 (currency not provided) = 7.8 HKD' }))
})

test('a customer with as many disputes as a view has at most may have more', () => {
  const labelOf = (count: number) => {
    const dispute = { currency: 'HKD', amount: 5, cardAccountId: account.id, disputeStatus: 'pending' }
    const disputes = Array.from({ length: count }, (_, at) => ({ ...dispute, id: `T${at}` }) as IndexedTransaction)
    const accounts = [{ account, cards: [] }]
    const records = { accounts, declines: [], disputes, operations: [] }
    return describe({ type: 'customer', foundBy: 'id', ...records }, account.id).status.label
  }
  expect(labelOf(1)).toBe('1 open case')
  expect(labelOf(mostCases - 1)).toBe('9 open cases')
  expect(labelOf(mostCases)).toBe('10 open cases or more')
})

test('an account without an active card says that none can be spent with', () => {
  const textsOf = (statuses: string[]) => {
    const cards = statuses.map((status, at) => exampleCard({ id: `c${at}`, status }))
    return describe({ type: 'card-account', account, rejectedReason: null, cards, transactions: [] }, account.id).notes
  }
  const note = expect.objectContaining({
    tone: 'warn',
    text: expect.stringMatching(/^No card of the account is active/),
  })
  expect(textsOf(['locked', 'cancelled'])).toContainEqual(note)
  for (const statuses of [[], ['locked', 'active']]) expect(textsOf(statuses)).not.toContainEqual(note)
})
