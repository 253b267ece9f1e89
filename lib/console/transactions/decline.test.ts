import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { cardAccountTransactions as transactions } from '#lib/service/tables/transactions.ts'
import { shareConsole } from '../testing/open-console.ts'
import { readTransaction } from './detail.ts'
import { explainDecline } from './explain-decline.ts'

const desk = shareConsole({ seeded: 30 })

beforeEach(async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  await desk.signIn('viewer')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test('every declined charge of the demonstration is explained by the limit that its card shows', async () => {
  const rows = await desk.service.service.db.select().from(transactions).where(eq(transactions.status, 'declined'))
  expect(rows.length).toBeGreaterThan(5)
  const causes = new Set<string>()
  for (const { id, cardAccountId } of rows) {
    const { decline, missing } = await readTransaction('sandbox', cardAccountId, id)
    expect(missing).toEqual([])
    const { cause, bounds } = decline?.explanation ?? { cause: { kind: 'as-sent' as const }, bounds: [] }
    causes.add(cause.kind === 'bound' ? cause.name : cause.kind)
    // Issuer unavailable names no limit.
    if (cause.kind !== 'bound') expect(cause.kind).toBe('other')
    else expect(bounds.find(({ name }) => name === cause.name)?.atDecline.exceeds).toBe(true)
  }
  expect([...causes].toSorted()).toEqual(['available', 'cardNotPresentLimit', 'other', 'singleTransactionLimit'])
})

test('the flagship decline: 12,800 over a single transaction limit of 10,000, which no action changes', async () => {
  const [row] = await desk.service.service.db
    .select({ id: transactions.id, cardAccountId: transactions.cardAccountId })
    .from(transactions)
    .innerJoin(cards, eq(cards.id, transactions.cardId))
    .where(and(eq(transactions.status, 'declined'), eq(cards.last4, '1881')))
  const { decline } = await readTransaction('sandbox', row?.cardAccountId ?? '', row?.id ?? '')
  expect(decline?.explanation).toMatchObject({
    amount: '12800',
    currency: 'HKD',
    cause: { kind: 'bound', name: 'singleTransactionLimit' },
    obstacles: [{ kind: 'bound', name: 'singleTransactionLimit', short: '2800' }],
    change: { kind: 'no-action', passesFrom: null },
    isComplete: true,
  })
  const single = decline?.explanation.bounds.find(({ name }) => name === 'singleTransactionLimit')
  expect(single).toMatchObject({ limit: '10000', now: { left: '10000', slack: '-2800', exceeds: true } })
  expect(decline?.card).toMatchObject({ last4: '1881', mobile: null, cardEmail: null })
  expect(decline?.account).toMatchObject({ phoneNumber: null })
})

test('where its card cannot be read, the transaction is shown without the explanation', async () => {
  const [row] = await desk.service.service.db.select().from(transactions).where(eq(transactions.status, 'declined'))
  desk.intercept.after = (request) =>
    request.url?.startsWith('/service/v1/cards?')
      ? Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 })
      : null
  const { decline, missing } = await readTransaction('sandbox', row?.cardAccountId ?? '', row?.id ?? '')
  desk.intercept.after = () => null
  expect([decline, missing]).toEqual([null, ['decline']])
})

const at = '2026-11-10T09:30:00.000Z'
const authorization = {
  id: 'X',
  currency: 'HKD',
  amount: 120,
  createdAt: at,
  type: 'PURCHASE',
  responseCode: 'Z9',
  responseMessage: 'Not today',
  cardPresent: false,
}
const transaction = {
  id: 'T',
  createdAt: at,
  status: 'declined',
  intent: 'charge',
  currency: 'HKD',
  amount: 120,
  authorization,
} as CardAccountTransaction
const noLimits = {
  singleTransactionLimit: null,
  cardPresentLimit: null,
  cardNotPresentLimit: null,
  dailyAtmLimit: null,
  dailyPurchaseLimit: null,
  dailyLimit: null,
  cardLimit: null,
  availableLimit: null,
}
const card = { id: 'C', status: 'active', expiryMonth: 1, expiryYear: 2020, ...noLimits } as Card
const account = {
  id: 'A',
  currency: 'HKD',
  accountType: 'credit',
  limit: 500,
  balance: -400,
  available: 300,
} as CardAccount
const none = { entries: [], isWhole: false }

/** As beside another service. */
function explain(
  given: { card?: Partial<Card> | null; account?: Partial<CardAccount>; of?: Partial<CardAccountTransaction> } = {},
) {
  return explainDecline({
    transaction: { ...transaction, ...given.of },
    card: given.card === null ? null : { ...card, ...given.card },
    account: { ...account, ...given.account },
    charges: { atDecline: none, now: none },
    now: new Date(at),
    rule: 'unknown',
  })
}

test('of another service’s decline nothing is claimed that its fields do not show', () => {
  expect(explain()).toMatchObject({
    cause: { kind: 'as-sent' },
    obstacles: [],
    change: { kind: 'not-known' },
    isComplete: false,
    largestNow: null,
  })
  for (const { name, limit, period, now } of explain().bounds) {
    expect([name, limit, now.exceeds]).toEqual([name, null, name === 'available' ? false : null])
    expect(period).toBe(name === 'singleTransactionLimit' ? 'charge' : null)
  }
  // The words of the built-in service are no claim of another one.
  const same = { ...authorization, responseCode: '62', responseMessage: 'The card is locked' }
  expect(explain({ of: { authorization: same } }).cause).toEqual({ kind: 'as-sent' })
})

test.each([
  [
    'a locked card',
    { card: { status: 'locked' } },
    { kind: 'steps', steps: [{ kind: 'card-action', action: 'unlock' }] },
  ],
  ['a status that is not known', { card: { status: 'frozen' } }, { kind: 'not-known' }],
  [
    'a balance that the limit makes up',
    { account: { available: 100 } },
    { kind: 'steps', steps: [{ kind: 'set-limit', limit: '520' }] },
  ],
  [
    'a balance that the limit does not explain',
    { account: { available: 90 } },
    { kind: 'no-action', passesFrom: null },
  ],
  [
    'a balance of a prepaid account',
    { account: { accountType: 'prepaid', available: 100 } },
    { kind: 'no-action', passesFrom: null },
  ],
  ['a limit that the charge alone exceeds', { card: { dailyLimit: 100 } }, { kind: 'no-action', passesFrom: null }],
  ['a daily limit of an unknown period that it does not', { card: { dailyLimit: 130 } }, { kind: 'not-known' }],
  ['a largest charge below it', { card: { availableLimit: 100 } }, { kind: 'no-action', passesFrom: null }],
  ['a card that was not read', { card: null }, { kind: 'not-known' }],
  ['no amount', { of: { amount: null } }, { kind: 'not-known' }],
  ['an amount in another currency than the account’s', { of: { currency: 'USD' } }, { kind: 'not-known' }],
])('another service’s decline with %s offers what its fields show', (_, given, change) => {
  const explanation = explain(given as Parameters<typeof explain>[0])
  expect(explanation.change).toEqual(change)
  expect([explanation.isComplete, explanation.cause.kind]).toEqual([false, 'as-sent'])
})
