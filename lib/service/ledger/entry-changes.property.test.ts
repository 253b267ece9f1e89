import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { amount } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { available } from '../card-limits.ts'
import {
  movedFigures,
  outstandingAmount,
  posted,
  makeReversal,
  reversibleAmount,
  voided,
  type AccountFigures,
  type EntryState,
} from './entry-changes.ts'

const now = new Date('2026-11-21T00:00:00.000Z')

/** An account in memory, moved by the same functions as the one in the database. */
type Model = {
  move: typeof movedFigures
  figures: AccountFigures
  accountType: 'credit' | 'prepaid'
  limit: string
  entries: EntryState[]
}

function add(model: Model, given: Pick<EntryState, 'intent' | 'entryType' | 'amount' | 'status'>): void {
  const entry: EntryState = {
    ...given,
    grossAmount: given.amount,
    refundedAmount: '0',
    postedAt: given.status === 'posted' ? now : null,
    disputeStatus: null,
    reversedAt: null,
  }
  model.figures = model.move(model.figures, null, entry)
  model.entries.push(entry)
}

function change(model: Model, place: number, after: EntryState | null): void {
  const before = model.entries[place]
  if (!before || !after) return
  model.figures = model.move(model.figures, before, after)
  model.entries[place] = after
}

const cents = fc.integer({ min: 1, max: 9_999_999_99 })
const place = fc.nat({ max: 30 })
/** Thousandths of an entry; null is all of it. More than all of it is refused. */
const part = fc.option(fc.integer({ min: 0, max: 1200 }))
const step = fc.oneof(
  fc.record({ act: fc.constant('charge' as const), cents }),
  fc.record({ act: fc.constant('fee' as const), cents }),
  fc.record({ act: fc.constant('topup' as const), cents }),
  fc.record({ act: fc.constant('repay' as const) }),
  fc.record({ act: fc.constant('capture' as const), place, part }),
  fc.record({ act: fc.constant('reverse' as const), place, part }),
  fc.record({ act: fc.constant('waive' as const), place }),
  fc.record({
    act: fc.constant('dispute' as const),
    place,
    status: fc.constantFrom(...disputeStatuses, null),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const decimal = (whole: number) => amount(whole).dividedBy(100).toString()

function take(model: Model, taken: Step): void {
  if (taken.act === 'charge') {
    const isApproved = amount(decimal(taken.cents)).lte(
      available({ ...model, balance: model.figures.balance.toString() }),
    )
    const status = isApproved ? 'pending' : 'declined'
    return add(model, { intent: 'charge', entryType: 'CREDIT', amount: decimal(taken.cents), status })
  }
  if (taken.act === 'fee') {
    return add(model, { intent: 'fee', entryType: 'CREDIT', amount: decimal(taken.cents), status: 'posted' })
  }
  if (taken.act === 'topup') {
    return add(model, { intent: 'topup', entryType: 'DEBIT', amount: decimal(taken.cents), status: 'posted' })
  }
  if (taken.act === 'repay') {
    const owed = outstandingAmount(model.figures.balance)
    if (owed.isZero()) return
    add(model, { intent: 'repay', entryType: 'DEBIT', amount: owed.toString(), status: 'posted' })
    expect(outstandingAmount(model.figures.balance).isZero()).toBe(true)
    return
  }
  const entry = model.entries[taken.place]
  if (!entry) return
  if (taken.act === 'capture') return change(model, taken.place, posted(entry, now, partOf(entry.amount, taken.part)))
  if (taken.act === 'dispute') return change(model, taken.place, { ...entry, disputeStatus: taken.status })
  if (taken.act === 'waive') return entry.intent === 'fee' ? change(model, taken.place, voided(entry)) : undefined
  const reversal = makeReversal(entry, now, partOf(reversibleAmount(entry).toString(), taken.part))
  if (!reversal) return
  const { original, refund } = reversal
  change(model, taken.place, original)
  if (refund) add(model, { intent: 'refund', entryType: 'DEBIT', amount: refund.toString(), status: 'posted' })
  const refunded = centsOf(original.refundedAmount)
  expect(refunded <= centsOf(original.amount)).toBe(true)
  expect(centsOf(reversibleAmount(original).toString())).toBe(
    original.reversedAt ? 0n : centsOf(original.amount) - refunded,
  )
}

/** A part of an amount in whole cents. */
function partOf(whole: string, thousandths: number | null) {
  return thousandths === null ? amount(whole) : amount(whole).times(thousandths).dividedBy(1000).toDecimalPlaces(2)
}

/** Whole cents by string alone: nothing in common with the arithmetic under test. */
function centsOf(text: string): bigint {
  const [, sign = '', units = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(text) ?? []
  return BigInt(`${sign}${units}${fraction.padEnd(2, '0')}`)
}

function figuresStayTrue(move: typeof movedFigures) {
  return fc.property(
    fc.record({
      start: fc.integer({ min: -500_000, max: 5_000_000 }),
      limit: fc.integer({ min: 0, max: 5_000_000 }),
      accountType: fc.constantFrom('credit' as const, 'prepaid' as const),
      steps: fc.array(step, { maxLength: 30, size: 'max' }),
    }),
    ({ start, limit, accountType, steps }) => {
      const figures = { balance: amount(decimal(start)), disputeAmount: amount(0) }
      const model: Model = { move, figures, accountType, limit: decimal(limit), entries: [] }
      for (const taken of steps) take(model, taken)

      let balance = BigInt(start)
      let disputed = 0n
      for (const { status, entryType, disputeStatus, amount: text } of model.entries) {
        if (status === 'pending' || status === 'posted')
          balance += entryType === 'DEBIT' ? centsOf(text) : -centsOf(text)
        if (disputeStatus === 'requested' || disputeStatus === 'pending') disputed += centsOf(text)
      }
      const stored = model.figures.balance.toString()
      expect(centsOf(stored)).toBe(balance)
      expect(centsOf(model.figures.disputeAmount.toString())).toBe(disputed)
      expect(centsOf(outstandingAmount(stored).toString())).toBe(balance < 0n ? -balance : 0n)
      const spendable = available({ accountType, limit: model.limit, balance: stored })
      expect(centsOf(spendable.toString())).toBe(accountType === 'credit' ? balance + BigInt(limit) : balance)
    },
  )
}

test('after any history balance = start + DEBIT − CREDIT, and available, outstanding and disputed are correct', () => {
  fc.assert(figuresStayTrue(movedFigures), { numRuns: cases(10_000) })
})

test.each([
  [
    'lets a void entry count',
    (after: EntryState) => ({ ...after, status: after.status === 'void' ? 'posted' : after.status }),
  ],
  [
    'lets a declined entry count',
    (after: EntryState) => ({ ...after, status: after.status === 'declined' ? 'posted' : after.status }),
  ],
  ['forgets disputes', (after: EntryState) => ({ ...after, disputeStatus: null })],
] as const)('a ledger that %s is found out by them', (_, spoilt) => {
  const spoiltMove: typeof movedFigures = (figures, before, after) => movedFigures(figures, before, spoilt(after))
  expect(fc.check(figuresStayTrue(spoiltMove), { numRuns: 10_000, endOnFailure: true }).failed).toBe(true)
})

const entry: EntryState = {
  intent: 'charge',
  status: 'pending',
  entryType: 'CREDIT',
  amount: '10',
  grossAmount: '12',
  refundedAmount: '0',
  postedAt: null,
  disputeStatus: null,
  reversedAt: null,
}

test.each([
  [
    'a pending charge',
    { status: 'pending' as const },
    { status: 'void', postedAt: null, reversedAt: now, refund: null },
  ],
  [
    'a charge of which a part is refunded',
    { status: 'posted' as const, refundedAmount: '4' },
    { refundedAmount: '10', refund: amount(6) },
  ],
  [
    'a posted charge',
    { status: 'posted' as const, postedAt: now },
    { status: 'posted', postedAt: now, refundedAmount: '10', reversedAt: now, refund: amount(10) },
  ],
])('%s can be reversed', (_, given, expected) => {
  const reversal = makeReversal({ ...entry, ...given }, now)
  expect({ ...reversal?.original, refund: reversal?.refund }).toMatchObject(expected)
})

test('a part of a pending charge leaves amount and gross amount, a part of a posted one is refunded', () => {
  expect(makeReversal(entry, now, amount(3))).toEqual({
    original: { ...entry, amount: '7', grossAmount: '9' },
    refund: null,
  })
  const captured = { ...entry, status: 'posted' as const, postedAt: now }
  expect(makeReversal(captured, now, amount(3))).toEqual({
    original: { ...captured, refundedAmount: '3' },
    refund: amount(3),
  })
  expect(makeReversal({ ...captured, refundedAmount: '3' }, now, amount('7.01'))).toBeNull()
  for (const part of [0, -1, 11]) expect(makeReversal(entry, now, amount(part))).toBeNull()
})

test('a part of a pending entry is posted, and the rest is released', () => {
  expect(posted(entry, now, amount(4))).toEqual({
    ...entry,
    amount: '4',
    grossAmount: '6',
    status: 'posted',
    postedAt: now,
  })
  expect(posted({ ...entry, grossAmount: '5' }, now, amount(4))?.grossAmount).toBe('0')
  for (const part of [0, -1, 11]) expect(posted(entry, now, amount(part))).toBeNull()
})

test.each([
  ['a declined charge', { status: 'declined' as const }],
  ['a void charge', { status: 'void' as const }],
  ['a charge that was reversed', { status: 'posted' as const, postedAt: now, reversedAt: now }],
  ['a fee', { intent: 'fee' as const, status: 'posted' as const, postedAt: now }],
  ['a refund', { intent: 'refund' as const, status: 'posted' as const, postedAt: now }],
])('%s cannot be reversed', (_, given) => {
  expect(makeReversal({ ...entry, ...given }, now)).toBeNull()
})

test('only what is pending is posted, and only what counts becomes void', () => {
  const states = ['pending', 'posted', 'declined', 'void'] as const
  expect(states.filter((status) => posted({ ...entry, status }, now))).toEqual(['pending'])
  expect(states.filter((status) => voided({ ...entry, status }))).toEqual(['pending', 'posted'])
})
