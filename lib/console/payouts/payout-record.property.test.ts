import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '#lib/shared/testing/cases.ts'
import { parsePayout, payoutAsStored, payoutColumns, parseStoredPayout, toPayoutState } from './payout-record.ts'

const sent = {
  id: 'AAAAAAAA-0000-4000-8000-000000000001',
  xid: 'PAY-1',
  xmetadata: { team: 'ops' },
  created: '2026-11-20T08:00:00.000Z',
  updated: '2026-11-20T08:02:00.000Z',
  method: 'BANK_TRANSFER',
  destination: {
    type: 'BANK_ACCOUNT',
    accountNumber: '001230456789',
    routingNumber: null,
    country: 'PH',
    bankName: 'BDO Unibank',
    bankAddress: null,
    wireCode: 'BNORPHMM',
    accountHolderName: 'Maria Santos',
    accountHolderAddress: '6780 Ayala Avenue',
  },
  accountId: 'bbbbbbbb-0000-4000-8000-000000000001',
  sourceCurrency: 'HKD',
  destinationCurrency: 'PHP',
  sourceAmount: 1000.1,
  destinationAmount: 7452.95,
  rate: 7.4512,
  status: 'requested',
  subStatus: 'ORDER_UNDER_AML_REVIEW',
  cancellationReason: null,
}

/** A payout as the client parses it, stored. */
function stored(value: unknown): Record<string, unknown> {
  const payout = parsePayout(value)
  if (!payout) throw new Error('no payout')
  return payoutAsStored(payout)
}

test('a payout keeps every figure as exact text and every name as it was sent', () => {
  const payout = parseStoredPayout(stored(sent))
  expect(payout).toMatchObject({
    id: sent.id,
    sourceAmount: '1000.1',
    destinationAmount: '7452.95',
    rate: '7.4512',
    destination: sent.destination,
    otherFields: {},
  })
  const sum = parseStoredPayout(stored({ ...sent, sourceAmount: 0.1 + 0.2, destinationAmount: '10.50', rate: 1e-7 }))
  expect(sum).toMatchObject({
    sourceAmount: '0.3',
    destinationAmount: '10.5',
    rate: '0.0000001',
  })
})

test('the rate of a payout is of its source currency, also where the service sent that of the other', () => {
  expect(parseStoredPayout(stored({ ...sent, rate: 0.13419 })).rate).toBe('7.4522048')
  expect(parseStoredPayout(stored({ ...sent, rate: 0.13419, sourceCurrency: null })).rate).toBe('0.13419')
})

test('unknown fields and values are shown, none is dropped', () => {
  const payout = parseStoredPayout(
    stored({
      ...sent,
      status: 'under-recall',
      subStatus: { code: 7 },
      method: 'PIGEON',
      sourceAmount: 'a lot',
      created: 'yesterday',
      riskScore: 71,
      legs: [{ bank: 'x' }],
      nothing: null,
      destination: { ...sent.destination, iban: 'GB33BUKB20201555555555', accountHolderName: 12 },
    }),
  )
  expect(payout).toMatchObject({ status: 'under-recall', subStatus: null, method: 'PIGEON' })
  expect(payout).toMatchObject({ sourceAmount: null, created: null, destination: { accountHolderName: '12' } })
  expect(payout.otherFields).toEqual({
    riskScore: 71,
    legs: [{ bank: 'x' }],
    nothing: null,
    'destination.iban': 'GB33BUKB20201555555555',
  })
})

test('of the number of a card account the last four digits alone are stored, whatever the service sends', () => {
  const number = '6222020200012345678'
  for (const record of [
    { ...sent, method: 'NETWORK_CARD', destination: { ...sent.destination, accountNumber: number } },
    { ...sent, destination: { ...sent.destination, type: 'CARD_ACCOUNT', accountNumber: number } },
    { ...sent, method: 'NETWORK_CARD', destination: { ...sent.destination, accountNumber: 6222020200012 } },
    { ...sent, method: null, destination: { ...sent.destination, accountNumber: '4242 4242 4242 4242' } },
  ]) {
    const storedRecord = stored(record)
    expect(JSON.stringify([storedRecord, parseStoredPayout(storedRecord), payoutColumns(storedRecord)])).not.toMatch(
      /62220202|4242 4242/,
    )
    expect(parseStoredPayout(storedRecord).destination.accountNumber).toHaveLength(4)
  }
  expect(parseStoredPayout(stored(sent)).destination.accountNumber).toBe('001230456789')
})

test('every value that a service sends can be stored and shown: none stops a read', () => {
  const anything = fc.jsonValue({ stringUnit: 'binary' })
  const some = fc.record(
    Object.fromEntries(
      [...Object.keys(sent), 'unheardOf'].map((name) => [
        name,
        fc.oneof(anything, fc.constant(sent[name as keyof typeof sent])),
      ]),
    ),
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(anything, some), (value) => {
      const parsed = parsePayout(value)
      if (!parsed) return
      const storedRecord = payoutAsStored(parsed)
      const payout = parseStoredPayout(storedRecord)
      const columns = payoutColumns(storedRecord)
      for (const text of [payout.method, payout.status, payout.sourceCurrency, payout.id])
        expect(text === null || typeof text === 'string').toBe(true)
      for (const amount of [columns.sourceAmount, columns.destinationAmount]) {
        if (amount !== null) expect(amount).toMatch(/^-?\d{1,15}(\.\d{1,8})?$/)
      }
      expect(columns.createdAt?.getTime()).not.toBeNaN()
      expect(columns.status?.length ?? 0).toBeLessThanOrEqual(200)
      expect(JSON.stringify(storedRecord)).not.toContain(String.raw`\u0000`)
      const state = toPayoutState(payout)
      if (state) expect(state.at.getTime()).not.toBeNaN()
      if ((value as { unheardOf?: unknown }).unheardOf !== undefined)
        expect(payout.otherFields).toHaveProperty('unheardOf')
    }),
    { numRuns: cases(2000) },
  )
})
