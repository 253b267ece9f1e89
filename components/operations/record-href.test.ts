import { expect, test } from 'vitest'
import { recordHref } from './record-href.ts'

test.each([
  ['cardaccount', null, '/sandbox/card-accounts/1'],
  ['card', 'a', '/sandbox/card-accounts/a/cards/1'],
  ['card', null, null],
  ['transaction', 'a', '/sandbox/card-accounts/a/transactions/1'],
  ['fee', 'a', '/sandbox/fees?open=1'],
  ['payout', null, '/sandbox/payouts/1'],
  ['audit-entry', null, '/sandbox/audit?open=1'],
  ['webhook', null, null],
  ['constructor', null, null],
])('a %s of %s is at %s', (type, parentId, href) => {
  expect(recordHref('sandbox', { type, id: '1', parentId })).toBe(href)
})
