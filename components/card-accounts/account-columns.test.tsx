import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { accountColumns } from './account-columns.tsx'

const account = { id: 'a1', xid: null, name: 'Chan Tai Man' }
const waiting = { approvalId: 'q1', targetId: 'a1', effect: '', by: 'Olivia Poon', since: '', expiresAt: '' }

function cell(id: string, row: object): string {
  const column = accountColumns(null, { currency: null, disputesAt: null }, ['region', 'a.b']).find(
    (each) => each.id === id,
  )
  return renderToString(
    column?.cell({ account, waitingLimits: [], lastActivityAt: null, ...row } as never) as ReactNode,
  )
}

test('an account whose limit change waits for an approval says so in the list', () => {
  expect(cell('name', {})).not.toContain('waiting')
  expect(cell('name', { waitingLimits: [waiting] })).toContain('Limit change waiting')
})

test('an account that owes more than its limit has more than 100 % of it in use', () => {
  const used = (outstanding: number) => cell('used', { account: { ...account, outstanding, limit: 10_000 } })
  expect(
    [10_000, 12_000].map((outstanding) => /([0-9]+)/.exec(used(outstanding).replaceAll('<!-- -->', ''))?.[1]),
  ).toEqual(['100', '120'])
})

test('last activity is the time of the newest transaction, or a dash', () => {
  expect(cell('activity', {})).toContain('–')
  expect(cell('activity', { lastActivityAt: '2026-11-20T03:04:05.000Z' })).toContain('20 Nov')
})

test('a key of metadata has a column where a cookie can name it', () => {
  const metadata = { region: 'Kowloon', 'a.b': 'x' }
  expect(cell('metadata-region', { account: { ...account, xmetadata: metadata } })).toContain('Kowloon')
  expect(cell('metadata-region', { account: { ...account, xmetadata: { region: 3 } } })).toContain('3')
  expect(cell('metadata-region', { account: { ...account, xmetadata: 'text' } })).toBe('')
  expect(accountColumns(null, { currency: null, disputesAt: null }, ['a.b']).map(({ id }) => id)).not.toContain(
    'metadata-a.b',
  )
})
