import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { bulkKinds, type BulkItem, type BulkJob } from '#lib/operations/bulk/types.ts'
import { bulkItemColumns } from './bulk-item-columns.tsx'
import { BulkMoneyLine } from './bulk-progress.tsx'

const accountId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

const item: BulkItem = {
  position: 7,
  operationId: 'o',
  target: { type: 'fee', id: 'f', parentId: accountId, label: null },
  facts: {
    account: 'Arjun Iyer',
    xid: 'EMP2041',
    intent: 'late-payment-fee',
    amount: '25',
    change: '-25',
    entryType: 'CREDIT',
    currency: 'HKD',
  },
  state: 'done',
  code: null,
  message: null,
  statusNow: null,
  requestId: '50b3aaaa-0000-4000-8000-00000000068c',
  settledAt: '2026-11-21T16:00:00Z',
}

function textOf(node: React.ReactNode): string {
  const html = renderToString(<>{node}</>)
  return html
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function cellsOf(row: BulkItem): Record<string, string> {
  const columns = bulkItemColumns({ kind: 'fee.waive', approval: null }, bulkKinds['fee.waive'].facts)
  return Object.fromEntries(
    columns.map(({ id, cell, below }) => [id, `${textOf(cell(row))} | ${textOf(below?.(row))}`.trim()]),
  )
}

test('a row names its account so that namesakes are distinguishable, and keeps its amount where columns have no room', () => {
  expect(cellsOf(item).account).toBe('Arjun Iyer | row 7 · EMP2041 −25.00 HKD')
  expect(cellsOf({ ...item, facts: { ...item.facts, xid: null } }).account).toContain('row 7 · 6f96…64ff')
})

test('an amount has the sign and label of the fee list; facts of an older version are shown as stored', () => {
  expect(cellsOf(item).amount).toBe('−25.00 HKD |')
  const { change: _change, entryType: _entryType, ...older } = item.facts
  expect(cellsOf({ ...item, facts: older }).amount).toBe('25.00 HKD |')
})

test('the result has a label and a time, and the request ID is labelled', () => {
  expect(cellsOf(item).message).toBe('Waived 00:00:00 | request 50b3…068c')
  const refused = { ...item, state: 'refused' as const, code: 'FEE_NOT_FOUND', message: 'There is no such fee.' }
  expect(cellsOf(refused).message).toBe('There is no such fee. | request 50b3…068c')
})

test('the progress shows the returned amount and the total, by currency', () => {
  const money = [
    { currency: 'HKD', done: '300', whole: '7694', excluded: 0 },
    { currency: 'USD', done: '0', whole: '407.97', excluded: 2 },
  ]
  expect(textOf(<BulkMoneyLine money={money} isOver={false} />)).toBe(
    'Waived so far 300.00 of 7,694.00 HKD Waived so far 0.00 of 407.97 USD (excludes 2 without an amount or direction)',
  )
  expect(textOf(<BulkMoneyLine money={money.slice(0, 1)} isOver />)).toBe('Waived 300.00 of 7,694.00 HKD')
  expect(textOf(<BulkMoneyLine money={[]} isOver />)).toBe('')
})

test('a row has the number of its line in the file, and shows no code', () => {
  expect(cellsOf({ ...item, facts: { ...item.facts, line: '9' } }).account).toContain('line 9 ·')
  expect(cellsOf(item).intent).toBe('Late payment fee |')
})

test('a refused row says the status that the card has now, unless its refusal does', () => {
  const happened = (message: string, statusNow: string | null) => {
    const columns = bulkItemColumns({ kind: 'card.lock', approval: null }, bulkKinds['card.lock'].facts)
    return textOf(columns.find(({ id }) => id === 'message')?.cell({ ...item, state: 'refused', message, statusNow }))
  }
  expect(happened('The card is not active.', 'cancelled')).toBe('The card is not active. It is cancelled now.')
  expect(happened('The card is locked already.', 'locked')).toBe('The card is locked already.')
  expect(happened('The card is not active.', null)).toBe('The card is not active.')
})

test('where there is no room for its column, a row of a card job names the card below its account', () => {
  const facts = { account: 'Chan Ho Yin', card: '•5605 CHAN HO YIN', statusBefore: 'active' }
  const columns = bulkItemColumns({ kind: 'card.lock', approval: null }, bulkKinds['card.lock'].facts)
  const row: BulkItem = { ...item, facts: { ...facts, xid: 'EMP-10010' } }
  expect(textOf(columns.find(({ id }) => id === 'account')?.below?.(row))).toContain('•5605')
})

test('a row of a job that was not approved says so; one that was cancelled later says that', () => {
  const happened = (approval: BulkJob['approval']) => {
    const columns = bulkItemColumns({ kind: 'fee.waive', approval }, bulkKinds['fee.waive'].facts)
    return textOf(columns.find(({ id }) => id === 'message')?.cell({ ...item, state: 'cancelled' }))
  }
  expect(happened({ state: 'declined', by: null })).toBe('Not approved: the job was declined.')
  expect(happened({ state: 'withdrawn', by: null })).toBe('Not approved: the request was withdrawn.')
  expect(happened({ state: 'approved', by: null })).toBe('Cancelled before it began.')
  expect(happened(null)).toBe('Cancelled before it began.')
})
