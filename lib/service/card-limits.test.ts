import { expect, test } from 'vitest'
import { cardPeriods, nextCardPeriods } from '#lib/contract/charge-rule.ts'
import type { Amount } from '#lib/shared/money.ts'
import { availableLimit, chargeBounds, type CardSpending } from './card-limits.ts'

const limits = {
  cardLimit: '900',
  dailyLimit: '800',
  dailyPurchaseLimit: '700',
  dailyAtmLimit: '300',
  singleTransactionLimit: '600',
  cardPresentLimit: '500',
  cardNotPresentLimit: '400',
}
const nothing: CardSpending = {
  month: '0',
  day: '0',
  dayAtm: '0',
  dayPurchase: '0',
  dayPresent: '0',
  dayNotPresent: '0',
}
const rich = { accountType: 'credit' as const, balance: '0', limit: '10000' }

test.each([
  ['what the account has', limits, { ...rich, balance: '-9900.5' }, nothing, '99.5'],
  ['the single transaction limit', { ...limits, singleTransactionLimit: '50' }, rich, nothing, '50'],
  ['the card-present limit, the higher of the two', limits, rich, nothing, '500'],
  ['what the card-present limit leaves, down to the other one', limits, rich, { ...nothing, dayPresent: '450' }, '400'],
  ['what the daily purchase limit leaves, down to cash', limits, rich, { ...nothing, dayPurchase: '699' }, '300'],
  ['what the daily limit leaves', limits, rich, { ...nothing, day: '790' }, '10'],
  ['what the card limit leaves', limits, rich, { ...nothing, month: '893' }, '7'],
  ['nothing, where more was spent than a limit', limits, rich, { ...nothing, month: '1000' }, '0'],
  [
    'nothing, on a prepaid account with a debt',
    limits,
    { accountType: 'prepaid' as const, balance: '-5', limit: '0' },
    nothing,
    '0',
  ],
])('a card can still be charged %s', (_, card, account, spending, expected) => {
  expect(availableLimit(card, account, spending).toString()).toBe(expected)
})

test('a charge of what is available is within every bound of some kind of charge, and one cent more is not', () => {
  const spending = { ...nothing, day: '350', dayPurchase: '350', dayPresent: '350', month: '350' }
  const available = availableLimit(limits, rich, spending)
  const kinds = [
    { type: 'PURCHASE', cardPresent: true },
    { type: 'PURCHASE', cardPresent: false },
    { type: 'ATM', cardPresent: true },
  ] as const
  const passes = (charge: Amount) =>
    kinds.some((kind) => chargeBounds(limits, rich, spending, kind).every(({ left }) => charge.lte(left)))
  expect(passes(available)).toBe(true)
  expect(passes(available.plus('0.01'))).toBe(false)
})

test('a day and a month begin at midnight in Hong Kong', () => {
  expect(cardPeriods(new Date('2026-11-30T15:59:59.999Z'))).toEqual({
    dayStart: new Date('2026-11-29T16:00:00.000Z'),
    monthStart: new Date('2026-10-31T16:00:00.000Z'),
  })
  expect(cardPeriods(new Date('2026-11-30T16:00:00.000Z'))).toEqual({
    dayStart: new Date('2026-11-30T16:00:00.000Z'),
    monthStart: new Date('2026-11-30T16:00:00.000Z'),
  })
})

test('the next day and month begin at midnight in Hong Kong, over the end of a year', () => {
  expect(nextCardPeriods(new Date('2026-11-26T03:00:00.000Z'))).toEqual({
    day: new Date('2026-11-26T16:00:00.000Z'),
    month: new Date('2026-11-30T16:00:00.000Z'),
  })
  expect(nextCardPeriods(new Date('2026-12-31T15:59:59.999Z'))).toEqual({
    day: new Date('2026-12-31T16:00:00.000Z'),
    month: new Date('2026-12-31T16:00:00.000Z'),
  })
})
