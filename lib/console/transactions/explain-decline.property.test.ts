import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cardPeriods, type ChargeKind, chargeLimits, mapCardLimits } from '#lib/contract/charge-rule.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { declineReasons } from '#lib/contract/sandbox.ts'
import { cardStatuses, unboundCardLimit } from '#lib/contract/terms.ts'
import { findDecline } from '#lib/service/authorization.ts'
import { available, type CardSpending } from '#lib/service/card-limits.ts'
import { minorUnitDigits } from '#lib/shared/currency.ts'
import { type Amount, amount, sum, toWire } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { dayMs, hourMs } from '#lib/shared/time.ts'
import { explainDecline } from './explain-decline.ts'

const now = new Date('2026-11-10T09:30:00.000Z')

/** Amounts are whole minor units, of the size of the limits, so that sums meet them exactly now and then. */
const units = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000_00 }))
const limitUnits = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 6_000_00 }) },
)
const kind = fc.constantFrom<ChargeKind>(
  { type: 'PURCHASE', cardPresent: true },
  { type: 'PURCHASE', cardPresent: false },
  { type: 'ATM', cardPresent: true },
)
const entry = fc.record({
  ageMs: fc.oneof(fc.integer({ min: 0, max: 18 * hourMs }), fc.integer({ min: 0, max: 40 * dayMs })),
  units,
  intent: fc.constantFrom('charge', 'charge', 'charge', 'withdraw', 'fee', 'topup'),
  status: fc.constantFrom('pending', 'posted', 'declined', 'void'),
  kind,
  /** Thousandths that were refunded by an entry of its own. */
  refunded: fc.option(fc.integer({ min: 1, max: 1000 }), { freq: 15 }),
})
const world = fc.record({
  currency: fc.constantFrom('HKD', 'JPY', 'KWD'),
  status: fc.oneof({ weight: 3, arbitrary: fc.constant('active' as const) }, fc.constantFrom(...cardStatuses)),
  wasLocked: fc.boolean(),
  isExpired: fc.constantFrom(true, ...Array.from({ length: 9 }, () => false)),
  limits: fc.array(limitUnits, { minLength: 7, maxLength: 7 }),
  accountType: fc.constantFrom('credit' as const, 'credit' as const, 'prepaid' as const),
  balanceUnits: fc.integer({ min: -5_000_00, max: 5_000_00 }),
  limitUnits: fc.integer({ min: 0, max: 8_000_00 }),
  charge: fc.record({ units, kind, isAtTheEdge: fc.boolean() }),
  entries: fc.array(entry, { maxLength: 8 }),
})
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never

/** The service's own state, and beside it what its records show. */
function stateOf(given: World) {
  const unit = amount(10).pow(-minorUnitDigits(given.currency))
  const money = (whole: number) => unit.times(whole).toFixed()
  const card = {
    status: given.status,
    expiryMonth: given.isExpired ? 10 : 11,
    expiryYear: given.isExpired ? 2026 : 2028,
    ...mapCardLimits((name) => {
      const limit = given.limits[chargeLimits.findIndex((one) => one.name === name)]
      return limit === null || limit === undefined ? String(unboundCardLimit) : money(limit)
    }),
  }
  const account = {
    accountType: given.accountType,
    balance: money(given.balanceUnits),
    limit: given.accountType === 'credit' ? money(given.limitUnits) : '0',
  }
  const rows = given.entries.map(({ ageMs, units: whole, intent, status, kind: kindOfEntry, refunded }) => {
    const isRefunded = refunded !== null && intent === 'charge' && status === 'posted'
    const refundedUnits = isRefunded ? Math.max(1, Math.floor((whole * refunded) / 1000)) : 0
    return {
      at: new Date(now.getTime() - ageMs),
      amount: money(whole),
      refunded: money(refundedUnits),
      isReversed: refundedUnits === whole,
      intent,
      status,
      kind: kindOfEntry,
    }
  })
  return { unit, card, account, rows }
}
type State = ReturnType<typeof stateOf>

/** As the service's SQL sums it. */
function spendingOf({ rows }: Pick<State, 'rows'>, at: Date): CardSpending {
  const { dayStart, monthStart } = cardPeriods(at)
  const counted = rows.filter(
    ({ intent, status, isReversed, at: of }) =>
      of >= monthStart &&
      (intent === 'charge' || intent === 'withdraw') &&
      (status === 'pending' || status === 'posted') &&
      !isReversed,
  )
  const total = (holds: (row: State['rows'][number]) => boolean) =>
    sum(counted.filter(holds).map((row) => amount(row.amount).minus(row.refunded))).toFixed()
  const isAtm = ({ intent, kind: { type } }: State['rows'][number]) => intent === 'withdraw' || type === 'ATM'
  const isPresent = ({ intent, kind: { cardPresent } }: State['rows'][number]) => intent === 'withdraw' || cardPresent
  const isToday = (row: State['rows'][number]) => row.at >= dayStart
  return {
    month: total(() => true),
    day: total(isToday),
    dayAtm: total((row) => isToday(row) && isAtm(row)),
    dayPurchase: total((row) => isToday(row) && !isAtm(row)),
    dayPresent: total((row) => isToday(row) && isPresent(row)),
    dayNotPresent: total((row) => isToday(row) && !isPresent(row)),
  }
}

const blank = {
  xid: null,
  xmetadata: null,
  refId: null,
  cardAccountId: 'A',
  cardId: 'C',
  cardLast4: null,
  cardEmbossedName: null,
  postedAt: null,
  merchant: null,
  entryType: null,
  description: null,
  disputeStatus: null,
  grossAmount: null,
}

function charge(
  currency: string,
  of: { at: Date; amount: string; intent: string; status: string; kind: ChargeKind },
  response = { responseCode: '00', responseMessage: 'Approved' },
): CardAccountTransaction {
  const { at, amount: text, intent, status, kind: kindOfCharge } = of
  const createdAt = at.toISOString()
  const money = toWire(text)
  return {
    ...blank,
    id: randomUUID(),
    createdAt,
    status,
    intent,
    currency,
    amount: money,
    authorization:
      intent === 'charge' ? { id: 'X', currency, amount: money, createdAt, ...kindOfCharge, ...response } : null,
  }
}

function recordsOf({ currency }: World, { card, account, rows }: State) {
  const wireCard = {
    id: 'C',
    status: card.status,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    ...mapCardLimits((name) => toWire(card[name])),
  } as Card
  const wireAccount = {
    id: 'A',
    currency,
    accountType: account.accountType,
    balance: toWire(account.balance),
    limit: toWire(account.limit),
    available: toWire(available(account)),
  } as CardAccount
  const entries = rows.flatMap((row) => [
    charge(currency, row),
    ...(amount(row.refunded).isZero() ? [] : [charge(currency, { ...row, amount: row.refunded, intent: 'refund' })]),
  ])
  return { card: wireCard, account: wireAccount, entries }
}

type Counts = Record<string, number>

function check(given: World, counts: Counts): void {
  const state = stateOf(given)
  const { unit, card, account } = state
  const spending = spendingOf(state, now)
  const decide = (
    charged: Amount,
    change: { card?: object; account?: object; spending?: CardSpending; at?: Date } = {},
  ) =>
    findDecline(
      change.at ?? now,
      { card: { ...card, ...change.card }, spending: change.spending ?? spending },
      { ...account, ...change.account },
      charged,
      given.charge.kind,
    )
  const { card: wireCard, account: wireAccount, entries } = recordsOf(given, state)
  const explain = (charged: Amount, changed: Partial<Card> = {}) => {
    const response = decide(charged, { card: changed }) ?? declineReasons['issuer-unavailable']
    const of = { at: now, amount: charged.toFixed(), intent: 'charge', status: 'declined', kind: given.charge.kind }
    const charges = { entries, isWhole: true }
    return explainDecline({
      transaction: charge(given.currency, of, response),
      card: { ...wireCard, ...changed },
      account: wireAccount,
      charges: { atDecline: charges, now: charges },
      now,
      rule: 'built-in',
    })
  }
  const whole = unit.times(given.charge.units)
  const edge = explain(whole).bounds.flatMap(({ now: { left } }) =>
    left !== null && amount(left).gt(0) ? [left] : [],
  )[0]
  const charged = given.charge.isAtTheEdge && edge !== undefined ? amount(edge).plus(unit) : whole
  const explanation = explain(charged)
  const { change, obstacles, bounds, isComplete, cause } = explanation
  const truth = decide(charged)
  const count = (name: string) => (counts[name] = (counts[name] ?? 0) + 1)
  count(truth === null ? 'approved' : 'declined')

  // What is claimed of a bound is true of it.
  const alone = { status: 'active' as const, expiryYear: 2030 }
  for (const bound of bounds) {
    const { left, exceeds } = bound.now
    const only = mapCardLimits((name) => (name === bound.name ? card[name] : String(unboundCardLimit)))
    const byThis = (one: Amount) =>
      decide(one, { card: { ...only, ...alone }, ...(bound.name === 'available' ? {} : { account: rich }) }) !== null
    if (exceeds !== null) expect(byThis(charged)).toBe(exceeds)
    if (left !== null && bound.limit !== 'none' && amount(left).gte(0)) {
      expect([byThis(amount(left)), byThis(amount(left).plus(unit))]).toEqual([false, true])
    }
    if (exceeds !== bound.atDecline.exceeds && !(bound.name === 'available')) expect.unreachable()
  }
  if (truth === null) {
    expect(obstacles).toEqual([])
    expect([change.kind, cause.kind]).toEqual([isComplete ? 'none' : 'not-known', 'other'])
    return
  }
  if (!isComplete) return void count('incomplete')

  // The first obstacle is what the response names.
  const [first] = obstacles
  const named = first?.kind === 'bound' ? { kind: 'bound', name: first.name } : first
  expect(cause).toEqual(named)

  if (explanation.largestNow !== null) {
    count('largest')
    expect(decide(amount(explanation.largestNow))).toBeNull()
    expect(decide(amount(explanation.largestNow).plus(unit))).not.toBeNull()
  }
  if (obstacles.every((one) => one.kind === 'bound' && one.short !== null)) {
    // By what each falls short: a limit higher by that lets the charge pass, one minor unit less does not.
    const raised = (less: Amount | 0, at = -1) =>
      decide(charged, {
        card: Object.fromEntries(
          obstacles.flatMap((one, place) =>
            one.kind === 'bound' && one.name !== 'available' && one.name !== 'availableLimit'
              ? [
                  [
                    one.name,
                    amount(card[one.name])
                      .plus(one.short ?? 0)
                      .minus(place === at ? less : 0)
                      .toFixed(),
                  ],
                ]
              : [],
          ),
        ),
        account: obstacles.some((one) => one.kind === 'bound' && one.name === 'available')
          ? {
              balance: amount(account.balance)
                .plus(shortOf(obstacles[0]))
                .minus(at === 0 ? less : 0)
                .toFixed(),
            }
          : {},
      })
    expect(raised(0)).toBeNull()
    for (const place of obstacles.keys()) expect(raised(unit, place)).not.toBeNull()
    count('bounds')
  }
  if (change.kind === 'steps') {
    count('steps')
    const statuses = { unlock: 'active', activate: 'active', unsuspend: given.wasLocked ? 'locked' : 'active' } as const
    const afterSteps = (skipped = -1, less: Amount | 0 = 0) => {
      const changed = { card: {}, account: {} }
      for (const [place, step] of change.steps.entries()) {
        if (place === skipped) continue
        if (step.kind === 'card-action') changed.card = { status: statuses[step.action] }
        else changed.account = { limit: amount(step.limit).minus(less).toFixed() }
        count(step.kind === 'card-action' ? step.action : step.kind)
      }
      return changed
    }
    const changed = afterSteps()
    if (decide(charged, changed) !== null) {
      // The suspension covered a lock: the explanation then offers to lift that.
      expect([given.status, given.wasLocked]).toEqual(['suspended', true])
      const [next] = (explain(charged, { status: 'locked' }).change as { steps?: unknown[] }).steps ?? []
      expect(next).toEqual({ kind: 'card-action', action: 'unlock' })
      expect(decide(charged, { ...changed, card: { status: 'active' } })).toBeNull()
    }
    for (const place of change.steps.keys()) expect(decide(charged, afterSteps(place))).not.toBeNull()
    if (change.steps.some(({ kind: of }) => of === 'set-limit')) {
      const oneLess = afterSteps(-1, unit)
      expect(decide(charged, { ...oneLess, card: alone })).not.toBeNull()
    }
  } else if (change.kind === 'no-action') {
    count('no action')
    if (change.passesFrom !== null) {
      count('passes later')
      const at = new Date(change.passesFrom)
      expect(decide(charged, { spending: spendingOf(state, at), at })).toBeNull()
      const before = new Date(at.getTime() - 1)
      expect(decide(charged, { spending: spendingOf(state, before), at: before })).not.toBeNull()
    }
  } else expect.unreachable(`a declined charge has no ${change.kind} change`)
}

const rich = { accountType: 'prepaid' as const, balance: '999999999999', limit: '0' }

function shortOf(obstacle: { kind: string; short?: string | null } | undefined): string {
  return obstacle?.short ?? '0'
}

test('with what the explanation suggests the same charge is approved, with one minor unit less it is not', () => {
  const counts: Counts = {}
  fc.assert(
    fc.property(world, (given) => check(given, counts)),
    { numRuns: cases(10_000) },
  )
  // Each kind of suggestion is met often.
  for (const name of ['bounds', 'steps', 'set-limit', 'unlock', 'unsuspend', 'activate', 'no action', 'passes later']) {
    expect(counts[name] ?? 0, JSON.stringify(counts)).toBeGreaterThan(cases(60))
  }
})
