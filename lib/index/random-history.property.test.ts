import { eq, gt, max } from 'drizzle-orm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeFreshness } from '#lib/console/fees/fee-freshness.ts'
import { feeIndex } from '#lib/console/fees/index-fees.ts'
import { listFees } from '#lib/console/fees/list-fees.ts'
import { applyingDone } from '#lib/console/inbox/apply.ts'
import { deliver, signingKey } from '#lib/console/testing/deliveries.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { listProgramTransactions } from '#lib/console/transactions/list-program-transactions.ts'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { fees } from '#lib/service/tables/fees.ts'
import { cardAccountTransactions } from '#lib/service/tables/transactions.ts'
import { events } from '#lib/service/tables/webhooks.ts'
import { sum } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { indexedTransactions, transactionProgress } from '#lib/tables/transactions.ts'
import { accountIndex } from './accounts-sync.ts'
import { indexSomeTransactions } from './transactions-sync.ts'

const cents = fc.integer({ min: 10, max: 900_000 }).map((whole) => whole / 100)
const place = fc.nat(40)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('charge' as const), place, cents }) },
  fc.record({ act: fc.constant('fee' as const), place, cents }),
  fc.record({ act: fc.constant('credit' as const), place, cents }),
  fc.record({ act: fc.constant('repay' as const), place }),
  fc.record({ act: fc.constant('capture' as const), place }),
  fc.record({ act: fc.constant('reverse' as const), place }),
  fc.record({ act: fc.constant('waive' as const), place }),
  fc.record({ act: fc.constant('dispute' as const), place, status: fc.constantFrom(...disputeStatuses, null) }),
)
/** What becomes of the events of a history: each is delivered, lost, or comes twice, in an order of its own. */
const fates = fc.array(fc.record({ times: fc.constantFrom(0, 0, 1, 2), order: fc.nat(1000) }), {
  minLength: 40,
  maxLength: 40,
})

test('after any history, with events lost, twice and out of order, index and totals are those of the service', async () => {
  const desk = await openConsole({ seeded: 6 })
  const key = await signingKey()
  await desk.signIn('operations')
  await settle(desk)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }), fates, async (steps, fateOf) => {
      const since = await newestEvent(desk)
      for (const one of steps) await take(desk, one)
      const emitted = await desk.service.service.db.select().from(events).where(gt(events.position, since))
      const sent = emitted
        .map((event, at) => ({ event, fate: fateOf[at % fateOf.length] ?? { times: 0, order: 0 } }))
        .toSorted((one, other) => one.fate.order - other.fate.order)
      for (const { event, fate } of sent) {
        const { id, event: name, data, time } = event
        for (let times = 0; times < fate.times; times += 1)
          await deliver(key, { id, event: name, data, time: time.toISOString() })
      }
      await applyingDone()
      await settle(desk)
      await expectSame(desk)
    }),
    { numRuns: cases(40), endOnFailure: true },
  )
})

/** What an hour does in the background. */
async function settle({ db }: TestConsole): Promise<void> {
  await accountIndex.readAll('sandbox')
  await indexSomeTransactions('sandbox')
  await db.update(transactionProgress).set({ lastReadAt: null })
  Reflect.deleteProperty(globalThis, 'carddeskRequestAllowance transactions')
  Reflect.deleteProperty(globalThis, 'carddeskRequestAllowance transactions again')
  Reflect.deleteProperty(globalThis, 'carddeskRequestAllowance fees')
  await indexSomeTransactions('sandbox')
  if ((await feeIndex.readState('sandbox')).asOf === null) await feeIndex.readAll('sandbox')
  else await feeFreshness.inBackground('sandbox')
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
}

async function newestEvent({ service }: TestConsole): Promise<number> {
  const [row] = await service.service.db.select({ position: max(events.position) }).from(events)
  return row?.position ?? 0
}

/** One step of a history; what the service refuses is no step. */
async function take({ service }: TestConsole, one: typeof step extends fc.Arbitrary<infer Step> ? Step : never) {
  const { db } = service.service
  const pick = <Row>(rows: readonly Row[]) => rows[one.place % Math.max(rows.length, 1)]
  if (one.act === 'charge' || one.act === 'fee' || one.act === 'credit' || one.act === 'repay') {
    const card = pick(await db.select().from(cards).where(eq(cards.status, 'active')).orderBy(cards.id))
    if (!card) return
    const { cardAccountId, id: cardId } = card
    if (one.act === 'charge')
      await service.call('simulateAuthorization', {
        body: { cardAccountId, cardId, amount: one.cents, currency: 'HKD' },
      })
    else if (one.act === 'repay') await service.call('simulateRepay', { body: { cardAccountIds: [cardAccountId] } })
    else {
      const intent = one.act === 'fee' ? 'late-payment-fee' : 'topup'
      await service.control('POST', one.act === 'fee' ? '/fees' : '/credits', {
        cardAccountId,
        intent,
        amount: one.cents,
      })
    }
    return
  }
  if (one.act === 'waive') {
    const fee = pick(await db.select().from(fees).orderBy(fees.id))
    if (fee) await service.call('waiveFee', { body: { id: fee.id } })
    return
  }
  const transaction = pick(
    await db
      .select()
      .from(cardAccountTransactions)
      .where(eq(cardAccountTransactions.intent, 'charge'))
      .orderBy(cardAccountTransactions.id),
  )
  if (!transaction) return
  const { id: transactionId, cardAccountId } = transaction
  if (one.act === 'capture') await service.control('POST', '/captures', { transactionId })
  else if (one.act === 'reverse')
    await service.call('simulateFullReversal', { body: { cardAccountId, cardTransactionId: transactionId } })
  else await service.control('POST', '/disputes', { transactionId, status: one.status })
}

async function expectSame({ db, service }: TestConsole): Promise<void> {
  const truth = await service.service.db.select().from(cardAccountTransactions)
  const lines = (
    rows: readonly { id: string; status: string | null; amount: string | null; disputeStatus: string | null }[],
  ) =>
    rows.map(({ id, status, amount, disputeStatus }) => `${id} ${status} ${Number(amount)} ${disputeStatus}`).toSorted()
  expect(lines(await db.select().from(indexedTransactions))).toEqual(lines(truth))
  const { totals } = await listProgramTransactions('sandbox', {})
  expect(totals.matching).toBe(truth.length)
  for (const { currency, ...sums } of totals.totals) {
    const own = truth.filter((row) => row.currency === currency)
    const moved = own.filter(({ status }) => status !== 'declined' && status !== 'void')
    const amounts = (entryType: string) =>
      sum(moved.filter((row) => row.entryType === entryType).map(({ amount }) => amount)).toFixed()
    const declined = own.filter(({ status }) => status === 'declined')
    expect({
      ...sums,
      taken: sums.taken ?? '0',
      added: sums.added ?? '0',
      declinedAmount: sums.declinedAmount ?? '0',
    }).toEqual({
      transactions: own.length,
      taken: amounts('CREDIT'),
      added: amounts('DEBIT'),
      declined: declined.length,
      declinedAmount: sum(declined.map(({ amount }) => amount)).toFixed(),
    })
  }
  const charged = await service.service.db.select().from(fees)
  const feeLines = (rows: readonly { id: string; status: string | null; amount: string | null }[]) =>
    rows.map(({ id, status, amount }) => `${id} ${status} ${Number(amount)}`).toSorted()
  expect(feeLines(await db.select().from(indexedFees))).toEqual(feeLines(charged))
  expect((await listFees('sandbox', {})).totals.matching).toBe(charged.length)
}
