import { expect, test } from 'vitest'
import type { CardAccount } from '#lib/contract/records.ts'
import { availableReason } from './available-reason.ts'

function account(figures: Partial<CardAccount>): CardAccount {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    xid: null,
    xmetadata: null,
    name: 'Lee Ka Yan',
    phoneNumber: '+85291234567',
    identityType: 'individual',
    accountType: 'credit',
    currency: 'HKD',
    limit: 0,
    balance: 0,
    outstanding: 0,
    available: 0,
    disputeAmount: 0,
    clientIdentityStatus: 'approved',
    createdAt: '2026-11-20T00:00:00.000Z',
    ...figures,
  }
}

test('a credit account shows the sum of balance and limit', () => {
  expect(availableReason(account({ balance: -0.1, limit: 0.3, available: 0.2 }))).toContain(
    '−0.10 + limit 0.30 = 0.20 HKD',
  )
})

test('a prepaid account explains that it spends its balance', () => {
  expect(availableReason(account({ accountType: 'prepaid', balance: 5, available: 5 }))).toContain(
    'can spend its balance',
  )
})

test('a sum that does not hold is never stated', () => {
  expect(availableReason(account({ balance: -1, limit: 10, available: 8 }))).not.toContain('=')
  expect(availableReason(account({ accountType: 'charge', balance: 5, available: 5 }))).toContain(
    'It isn’t simply the balance and the limit',
  )
})
