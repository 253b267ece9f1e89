import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chargeLimits, mapCardLimits } from '#lib/contract/charge-rule.ts'
import { cardStatuses, unboundCardLimit } from '#lib/contract/terms.ts'
import { openCardNumber } from '#lib/service/card-number.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { openAccount } from '#lib/service/testing-accounts.ts'
import { testCardNumberKey } from '#lib/service/testing.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { readTransaction } from './detail.ts'

const kind = fc.constantFrom(
  { type: 'PURCHASE', cardPresent: true },
  { type: 'PURCHASE', cardPresent: false },
  { type: 'ATM', cardPresent: true },
)
const cents = fc.integer({ min: 1, max: 2_000_00 })
const situation = fc.record({
  limitCents: fc.integer({ min: 0, max: 5_000_00 }),
  history: fc.array(
    fc.record({ cents, kind, after: fc.constantFrom('nothing', 'nothing', 'capture', 'reverse', 'refund a part') }),
    { maxLength: 3 },
  ),
  limits: fc.array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 3_000_00 }) },
    ),
    { minLength: 7, maxLength: 7 },
  ),
  status: fc.oneof({ weight: 2, arbitrary: fc.constant('active' as const) }, fc.constantFrom(...cardStatuses)),
  wasLocked: fc.boolean(),
  charge: fc.record({ cents, kind }),
})
type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never

const inHkd = (whole: number) => toWire(amount(whole).dividedBy(100))

async function check({ service }: TestConsole, given: Situation, counts: Record<string, number>): Promise<void> {
  const ids = await openAccount(service, { limit: inHkd(5_000_00), currency: 'HKD' })
  const { cardAccountId, cardId } = ids
  const setCard = (values: Partial<typeof cards.$inferInsert>) =>
    service.service.db.update(cards).set(values).where(eq(cards.id, cardId))
  const control = async (path: string, body: object) => {
    const response = await service.control('POST', path, body)
    expect(response.status, response.text).toBe(200)
    return response.json
  }
  const charge = (one: Situation['charge']) =>
    control('/charges', { ...ids, amount: inHkd(one.cents), currency: 'HKD', ...one.kind })
  const count = (name: string) => (counts[name] = (counts[name] ?? 0) + 1)

  for (const one of given.history) {
    const { id: transactionId, status } = await charge(one)
    if (status !== 'pending' || one.after === 'nothing') continue
    if (one.after !== 'reverse') await control('/captures', { transactionId })
    if (one.after === 'reverse') await control('/reversals', { transactionId })
    if (one.after === 'refund a part') await control('/reversals', { transactionId, amount: 0.01 })
  }
  const setLimit = (limit: number) => service.call('setFixedLimit', { body: { cardAccountId, limit } })
  await setLimit(inHkd(given.limitCents))
  const limits = mapCardLimits((name) => {
    const own = given.limits[chargeLimits.findIndex((one) => one.name === name)] ?? null
    return own === null ? String(unboundCardLimit) : String(inHkd(own))
  })
  await setCard({ ...limits, status: given.status, lockedBeforeSuspension: given.wasLocked })

  const repeat = async (): Promise<string> => (await charge(given.charge)).status
  const declined = await charge(given.charge)
  if (declined.status !== 'declined') return
  const explain = async () => (await readTransaction('sandbox', cardAccountId, declined.id)).decline?.explanation
  const explanation = await explain()
  if (!explanation) throw new Error('the decline is not explained')
  count('declined')
  expect(['status', 'bound']).toContain(explanation.cause.kind)
  if (!explanation.isComplete) return void count('incomplete')
  const { change, obstacles } = explanation
  const [first] = obstacles
  expect(explanation.cause).toEqual(first?.kind === 'bound' ? { kind: 'bound', name: first.name } : first)

  if (change.kind === 'steps') {
    // Another time where the suspension covered a lock.
    for (let steps = [...change.steps], round = 0; steps.length > 0 && round < 2; round += 1) {
      for (const step of steps) {
        expect(await repeat()).toBe('declined')
        count(step.kind === 'set-limit' ? step.kind : step.action)
        if (step.kind === 'set-limit') {
          const oneLess = amount(step.limit).minus('0.01')
          if (!oneLess.isNegative()) {
            expect((await setLimit(toWire(oneLess))).status).toBe(200)
            expect(await repeat()).toBe('declined')
          }
          expect((await setLimit(toWire(step.limit))).status).toBe(200)
        } else await act[step.action](service, ids)
      }
      const next = (await explain())?.change
      steps = next?.kind === 'steps' ? next.steps : []
    }
    expect(await repeat()).toBe('pending')
    return
  }
  expect(change.kind).toBe('no-action')
  count('no action')
  if (obstacles.some((one) => one.kind !== 'bound' || one.short === null)) return
  const raised = (less: string) =>
    Object.fromEntries(
      obstacles.flatMap((one) =>
        one.kind === 'bound' && one.name !== 'available' && one.name !== 'availableLimit'
          ? [
              [
                one.name,
                amount(limits[one.name])
                  .plus(one.short ?? 0)
                  .minus(less)
                  .toFixed(),
              ],
            ]
          : [],
      ),
    )
  const balance = obstacles.find((one) => one.kind === 'bound' && one.name === 'available')
  if (balance?.kind === 'bound') await setLimit(toWire(amount(inHkd(given.limitCents)).plus(balance.short ?? 0)))
  await setCard(raised('0.01'))
  expect(await repeat()).toBe('declined')
  await setCard(raised('0'))
  expect(await repeat()).toBe('pending')
  count('raised')
}

type Ids = { cardAccountId: string; cardId: string }
type Act = (service: TestConsole['service'], ids: Ids) => Promise<void>

const simple =
  (endpoint: 'unlockCard' | 'unsuspendCard'): Act =>
  async (service, ids) =>
    expect((await service.call(endpoint, { body: ids })).status).toBe(200)

const act: Record<'unlock' | 'unsuspend' | 'activate', Act> = {
  unlock: simple('unlockCard'),
  unsuspend: simple('unsuspendCard'),
  async activate(service, ids) {
    const [card] = await service.service.db.select().from(cards).where(eq(cards.id, ids.cardId))
    if (!card) throw new Error('the card is gone')
    const last6 = openCardNumber(card.sealedNumber, card.id, testCardNumberKey).slice(-6)
    const { expiryMonth, expiryYear } = card
    const response = await service.call('activateCard', { body: { ...ids, last6, expiryMonth, expiryYear } })
    expect(response.status, response.text).toBe(200)
  },
}

test('over HTTP, too: with the suggestion the same charge is approved, with one cent less it is declined', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const counts: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(situation, (given) => check(desk, given, counts)),
    { numRuns: cases(150), endOnFailure: true },
  )
  const isWhole = cases(150) >= 150
  for (const name of isWhole ? ['set-limit', 'unlock', 'unsuspend', 'activate', 'raised'] : ['declined']) {
    expect(counts[name] ?? 0, JSON.stringify(counts)).toBeGreaterThan(isWhole ? 5 : 0)
  }
})
