import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { balanceChange } from '#lib/console/fees/fee-record.ts'
import type { FeeEntry } from '#lib/contract/records.ts'
import { sum } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { sumByStatus } from './status-totals.ts'

const currencies = { HKD: 2, USD: 2, KRW: 0, KWD: 3 } as const
const statuses = ['pending', 'posted', 'void', 'disputed-elsewhere']

const Fee = fc
  .record({
    currency: fc.constantFrom(...(Object.keys(currencies) as (keyof typeof currencies)[])),
    status: fc.constantFrom(...statuses),
    units: fc.integer({ min: 0, max: 999_999_999 }),
    entryType: fc.constantFrom('CREDIT', 'DEBIT'),
  })
  .map(({ units, ...fee }) => {
    const digits = currencies[fee.currency]
    const text =
      digits === 0
        ? String(units)
        : `${Math.floor(units / 10 ** digits)}.${String(units % 10 ** digits).padStart(digits, '0')}`
    return { ...fee, units, amount: Number(text) }
  })

type Drawn = typeof Fee extends fc.Arbitrary<infer Value> ? Value : never

function entryOf({ currency, status, amount, entryType }: Drawn): FeeEntry {
  return { currency, status, amount, transaction: { cardAccountId: 'a', entryType } } as FeeEntry
}

/** As the index adds them up. */
function sumFees(fees: readonly FeeEntry[]) {
  const groups = Map.groupBy(fees, ({ currency, status }) => JSON.stringify([currency, status]))
  return sumByStatus(
    [...groups.values()].map((own) => {
      const changes = own.flatMap((fee) => balanceChange(fee) ?? [])
      const amount = changes.length === 0 ? null : sum(changes).toFixed()
      const { currency = null, status = null } = own[0] ?? {}
      return { currency, status, records: own.length, amount, excluded: own.length - changes.length }
    }),
  )
}

/** The same in whole minor units: no decimals, no floats. */
function oracle(
  fees: readonly Drawn[],
  currency: keyof typeof currencies,
  wanted: (status: string) => boolean,
): bigint {
  return fees
    .filter((fee) => fee.currency === currency && wanted(fee.status))
    .reduce((total, { units, entryType }) => total + (entryType === 'DEBIT' ? BigInt(units) : -BigInt(units)), 0n)
}

function minorUnits(text: string, currency: keyof typeof currencies): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(currencies[currency], '0'))
  return text.startsWith('-') ? -value : value
}

test('every sum equals a whole-number oracle, per currency and status', () => {
  fc.assert(
    fc.property(fc.array(Fee, { maxLength: 40 }), (fees) => {
      const sums = sumFees(fees.map(entryOf))
      expect(sums.reduce((total, { statuses }) => total + statuses.reduce((all, one) => all + one.records, 0), 0)).toBe(
        fees.length,
      )
      for (const { currency: name, counted, statuses } of sums) {
        const currency = name as keyof typeof currencies
        expect(minorUnits(counted.amount ?? '', currency)).toBe(
          oracle(fees, currency, (status) => status === 'pending' || status === 'posted'),
        )
        for (const { status, amount } of statuses) {
          expect(minorUnits(amount ?? '', currency)).toBe(oracle(fees, currency, (other) => other === status))
        }
      }
    }),
    { numRuns: cases(2_000) },
  )
})

test('sums keep cents that binary arithmetic would lose', () => {
  const fee = (amount: number) => entryOf({ currency: 'HKD', status: 'posted', amount, entryType: 'CREDIT', units: 0 })
  expect(sumFees([fee(0.1), fee(0.2), fee(9_999_999_999.99)])[0]?.counted).toEqual({
    records: 3,
    amount: '-10000000000.29',
    excluded: 0,
  })
})

test('an unknown status has a line of its own and counts in no balance; a missing amount is excluded, not 0', () => {
  const [sums] = sumFees([
    entryOf({ currency: 'USD', status: 'held', amount: 5, entryType: 'CREDIT', units: 500 }),
    {
      ...entryOf({ currency: 'USD', status: 'posted', amount: 1, entryType: 'CREDIT', units: 100 }),
      amount: null,
    },
  ])
  expect(sums).toEqual({
    currency: 'USD',
    counted: { records: 1, amount: null, excluded: 1 },
    excluded: 1,
    statuses: [
      { status: 'pending', records: 0, amount: '0', excluded: 0 },
      { status: 'posted', records: 1, amount: null, excluded: 1 },
      { status: 'void', records: 0, amount: '0', excluded: 0 },
      { status: 'held', records: 1, amount: '-5', excluded: 0 },
    ],
  })
})

test('where all fees are of an unknown status, what was charged is not known, and not 0', () => {
  const held = entryOf({ currency: 'USD', status: 'held', amount: 5, entryType: 'CREDIT', units: 500 })
  const none = { records: 0, amount: null, excluded: 0 }
  expect(sumFees([held])[0]?.counted).toEqual(none)
  expect(sumFees([{ ...held, status: null }])[0]?.counted).toEqual(none)
  expect(sumFees([{ ...held, status: 'void' }])[0]?.counted).toEqual({ ...none, amount: '0' })
})

test('fees without a currency have no sums, not even of 0', () => {
  const fee = entryOf({ currency: 'USD', status: 'posted', amount: 1, entryType: 'CREDIT', units: 100 })
  const [sums] = sumFees([{ ...fee, currency: null }])
  expect([sums?.counted, ...(sums?.statuses ?? [])].map((one) => one?.amount)).toEqual([null, null, null, null])
})

test('a status that no fee is known to have has no sum while the status of a fee is unknown', () => {
  const unreadable = { currency: 'HKD', status: null, amount: 5, transaction: { entryType: 'DEBIT' } } as FeeEntry
  const posted = { ...unreadable, status: 'posted' } as FeeEntry
  const amounts = (fees: FeeEntry[]) =>
    Object.fromEntries(sumFees(fees)[0]?.statuses.map(({ status, amount }) => [String(status), amount]) ?? [])
  expect(amounts([posted])).toMatchObject({ pending: '0', posted: '5', void: '0' })
  expect(amounts([posted, unreadable])).toMatchObject({ pending: null, posted: '5', void: null })
})
