import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { CardAccount, FeeEntry } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { indexAccounts } from '#lib/index/index-accounts.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { indexTransactions } from '#lib/index/transactions.ts'
import { fees as serviceFees } from '#lib/service/tables/fees.ts'
import { sum } from '#lib/shared/money.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { feeProgress, indexedFees } from '#lib/tables/fees.ts'
import { indexedTransactions } from '#lib/tables/transactions.ts'
import { applyingDone } from '../inbox/apply.ts'
import { deliver, makeEvent, signingKey } from '../testing/deliveries.ts'
import { accountsIn, chargeFees } from '../testing/fees.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { feeFreshness } from './fee-freshness.ts'
import { feeIndex, indexFees, readFeesOfAccounts, readFeesVersion, readOneFee } from './index-fees.ts'
import { listFees } from './list-fees.ts'

async function indexed(seeded = 4) {
  const desk = await openConsole({ seeded })
  await desk.signIn('operations')
  await feeIndex.readAll('sandbox')
  desk.requests.clear()
  const [account] = await accountsIn(desk)
  return { desk, accountId: account?.id ?? '', requests: () => desk.requests.get('/fees') ?? 0 }
}

/** Fees as the index and the service have them. */
async function compared(desk: TestConsole) {
  const lines = (rows: readonly { id: string; status: string | null; amount: string | null }[]) =>
    rows.map(({ id, status, amount }) => `${id} ${status} ${Number(amount)}`).toSorted()
  const [index, service] = [
    await desk.db.select().from(indexedFees),
    await desk.service.service.db.select().from(serviceFees),
  ]
  return { index: lines(index), service: lines(service) }
}

/** The transaction of a fee comes in an event, or with the sync of its account. */
async function indexTransactionOf(fee: FeeEntry | undefined, readAt = new Date()): Promise<void> {
  const transaction = fee?.transaction
  if (!transaction || !('cardAccountId' in transaction)) throw new Error('the fee was charged to a card account')
  const record = transaction as Parameters<typeof indexTransactions>[3][number]
  await indexTransactions(database(), 'sandbox', transaction.cardAccountId ?? '', [record], readAt)
}

test('the index has every fee, and its totals are the service’s, to the cent', async () => {
  const { desk } = await indexed(30)
  const accounts = await accountsIn(desk)
  for (const [at, { id }] of accounts.entries()) {
    const charged = await chargeFees(
      desk,
      id,
      [0.1 * (at + 1), 0.2, 1234.56 + at].map((size) => Number(size.toFixed(2))),
    )
    if (at % 3 === 0) await desk.service.call('waiveFee', { body: { id: charged[1]?.id } })
  }
  await feeIndex.readAll('sandbox')
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
  const rows = await desk.service.service.db.select().from(serviceFees)
  const { totals } = await listFees('sandbox', {})
  expect(totals.matching).toBe(rows.length)
  for (const { currency, statuses } of totals.currencies) {
    for (const { status, records, amount } of statuses) {
      const own = rows.filter((row) => row.currency === currency && row.status === status)
      expect([status, records, amount]).toEqual([status, own.length, sum(own.map((row) => `-${row.amount}`)).toFixed()])
    }
  }
})

test('a fee is found by the name of its account, whichever of them was read first, and by a new one once it has that', async () => {
  const { desk, accountId } = await indexed()
  const [account] = await accountsIn(desk)
  await chargeFees(desk, accountId, [59])
  await feeIndex.readAll('sandbox')
  const own = (await listFees('sandbox', { accountId })).totals.matching
  const renamed = async (name: string) => {
    await indexAccounts(desk.db, 'sandbox', [{ ...account, name } as CardAccount], new Date())
    Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
  }
  const found = async (q: string) => (await listFees('sandbox', { q })).totals.matching
  await desk.db.delete(indexedAccounts)
  await renamed('Quillon Zubrowka')
  expect([await found('zubrowka'), own > 0]).toEqual([own, true])
  await renamed('Quillon Vandermeer')
  expect([await found('zubrowka'), await found('vandermeer')]).toEqual([0, own])
  await desk.db.update(indexedFees).set({ accountText: null })
  await feeIndex.readAll('sandbox')
  expect(await found('quillon vandermeer')).toBe(own)
})

test('the transaction of a fee in an event brings the fee with one request; one that is known costs none', async () => {
  const { desk, accountId, requests } = await indexed()
  const key = await signingKey()
  const charged = await chargeFees(desk, accountId, [12.5, 7.5])
  for (const { transaction } of charged)
    await deliver(key, makeEvent('cardaccount.transaction.created', { ...transaction }))
  await applyingDone()
  await feeFreshness.inBackground('sandbox')
  expect(requests()).toBe(1)
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
  for (const { transaction } of charged)
    await deliver(key, makeEvent('cardaccount.transaction.updated', { ...transaction }))
  await applyingDone()
  await feeFreshness.inBackground('sandbox')
  expect(requests()).toBe(1)
})

test('a fee that was waived or charged elsewhere is healed once its transaction is read, with one request for many accounts', async () => {
  const { desk, requests } = await indexed()
  const accounts = await accountsIn(desk)
  const charged = await Promise.all(accounts.map(({ id }) => chargeFees(desk, id, [5])))
  const ids = charged.flatMap((fees) => fees.map(({ id }) => id))
  await feeIndex.readAll('sandbox')
  desk.requests.clear()
  const waived = (await desk.service.call('waiveFee', { body: { id: ids[0] } })).json as FeeEntry
  const [again] = await chargeFees(desk, accounts[1]?.id ?? '', [9])
  for (const fee of [waived, again]) await indexTransactionOf(fee)
  await feeFreshness.inBackground('sandbox')
  expect(requests()).toBe(1)
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
  const due = await desk.db.execute(
    sql`select from ${indexedTransactions} where intent = 'fee' and fee_read_at is null`,
  )
  expect(due.rows).toEqual([])
})

test('a fee that the service lists no more leaves the index with its account, and costs no further request', async () => {
  const { desk, accountId, requests } = await indexed()
  const [fee] = await chargeFees(desk, accountId, [5])
  await feeIndex.readAll('sandbox')
  await desk.service.service.db.delete(serviceFees).where(eq(serviceFees.id, fee?.id ?? ''))
  desk.requests.clear()
  await indexTransactionOf(fee && ({ ...fee, transaction: { ...fee.transaction, status: 'void' } } as FeeEntry))
  for (let round = 0; round < 3; round += 1) await feeFreshness.inBackground('sandbox')
  expect(requests()).toBe(1)
  expect((await listFees('sandbox', { feeId: fee?.id })).totals.matching).toBe(0)
})

test('a whole reading that was killed goes on where it stopped, and deletes what is gone', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const [account] = await accountsIn(desk)
  await chargeFees(
    desk,
    account?.id ?? '',
    Array.from({ length: 250 }, (_, index) => index + 1),
  )
  const gone = { id: randomUUID(), status: 'posted', amount: 1, transaction: null } as FeeEntry
  await indexFees('sandbox', [gone], new Date(0))
  const asked: URLSearchParams[] = []
  desk.intercept.before = (request, response) => {
    const url = new URL(request.url ?? '', 'http://service.test')
    if (!url.pathname.endsWith('/fees')) return false
    asked.push(url.searchParams)
    if (asked.length !== 3) return false
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"code":"X","message":"x"}')
    return true
  }
  await expect(feeIndex.readAll('sandbox')).rejects.toBeDefined()
  expect(await feeIndex.coverage('sandbox')).toMatchObject({ isComplete: false, readBackTo: expect.any(String) })
  asked.length = 10
  await feeIndex.readAll('sandbox')
  expect(asked.slice(10).map((query) => query.has('dateRangeTo'))[0]).toBe(true)
  expect(asked.length).toBeLessThanOrEqual(12)
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
  expect(await feeIndex.coverage('sandbox')).toMatchObject({ isComplete: true, readBackTo: null })
})

test('a whole reading that was killed after a fee without an id deletes nothing once it goes on', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const [account] = await accountsIn(desk)
  const charged = await chargeFees(
    desk,
    account?.id ?? '',
    Array.from({ length: 250 }, (_, index) => index + 1),
  )
  await feeIndex.readAll('sandbox')
  const [newest, ...others] = charged.toSorted((one, other) =>
    (other.createdAt ?? '').localeCompare(one.createdAt ?? ''),
  )
  const page = { fees: [{ ...newest, id: null }, ...others.slice(0, 99)], nextPageToken: 'next' }
  let pages = 0
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/fees') || (pages += 1) > 2) return false
    response.writeHead(pages === 1 ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(page))
    return true
  }
  await expect(feeIndex.readAll('sandbox')).rejects.toBeDefined()
  await feeIndex.readAll('sandbox')
  expect(await feeIndex.coverage('sandbox')).toMatchObject({ isComplete: true, excluded: 1 })
  expect(await desk.db.$count(indexedFees, eq(indexedFees.id, newest?.id ?? ''))).toBe(1)
})

test('of many fees the newest page is read when somebody looks, and all of them once a day', async () => {
  const { desk, accountId, requests } = await indexed()
  const age = (hours: number) =>
    desk.db.update(feeProgress).set({ asOf: sql`clock_timestamp() - make_interval(hours => ${hours})`, records: 501 })
  await age(1)
  const [fee] = await chargeFees(desk, accountId, [31.4])
  const { fees } = await listFees('sandbox', {})
  await readingsDone()
  expect(fees.map((row) => row.fee.id)).toContain(fee?.id)
  expect(requests()).toBe(1)
  await listFees('sandbox', {})
  await feeFreshness.inBackground('sandbox')
  expect(requests()).toBe(1)
  await age(25)
  await feeFreshness.inBackground('sandbox')
  expect(requests()).toBeGreaterThan(1)
})

test('the response to an earlier request never replaces that to a later one', async () => {
  const { desk } = await indexed(1)
  const fee = { id: randomUUID(), status: 'void', amount: 1, currency: 'HKD', transaction: null } as FeeEntry
  await indexFees('sandbox', [fee], new Date())
  await indexFees('sandbox', [{ ...fee, status: 'posted' }], new Date(Date.now() - 1000))
  const [row] = await desk.db.select().from(indexedFees).where(eq(indexedFees.id, fee.id))
  expect(row?.status).toBe('void')
})

test('every write of fees, and every deletion, gives their totals another version, and nothing else does', async () => {
  const { desk, accountId } = await indexed(2)
  const isChangedBy = async (write: () => Promise<unknown>) => {
    const before = await readFeesVersion('sandbox')
    await write()
    return (await readFeesVersion('sandbox')) !== before
  }
  const fee = { id: randomUUID(), status: 'void', amount: 1, currency: 'HKD', transaction: null } as FeeEntry
  const store = () => indexFees('sandbox', [fee], new Date())
  expect(await isChangedBy(store)).toBe(true)
  expect(await isChangedBy(() => expect(readOneFee('sandbox', fee.id)).rejects.toThrow())).toBe(true)
  await store()
  expect(await isChangedBy(() => feeIndex.readAll('sandbox'))).toBe(true)
  expect(await desk.db.$count(indexedFees, eq(indexedFees.id, fee.id))).toBe(0)
  expect(await isChangedBy(() => readFeesOfAccounts('sandbox', [accountId], () => undefined))).toBe(true)
  expect(await isChangedBy(() => listFees('sandbox', {}))).toBe(false)
})
