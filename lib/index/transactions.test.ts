import { randomUUID } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listCardAccounts, readAggregateBalances } from '#lib/console/card-accounts/list.ts'
import { applyInbox, applyingDone } from '#lib/console/inbox/apply.ts'
import { deliver, makeEvent, signingKey } from '#lib/console/testing/deliveries.ts'
import { openConsole, shareConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { fetchTransaction } from '#lib/console/transactions/detail.ts'
import { listDeclineReasons, listProgramTransactions } from '#lib/console/transactions/list-program-transactions.ts'
import { cardAccountTransactions } from '#lib/service/tables/transactions.ts'
import { sum } from '#lib/shared/money.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { indexedTransactions, transactionProgress } from '#lib/tables/transactions.ts'
import { accountIndex } from './accounts-sync.ts'
import { updateDisputeAge } from './index-accounts.ts'
import { indexSomeTransactions } from './transactions-sync.ts'
import { indexTransactions } from './transactions.ts'

const desk = shareConsole({ seeded: 12 })

async function indexed(desk: TestConsole): Promise<void> {
  await desk.signIn('operations')
  await accountIndex.readAll('sandbox')
  await indexSomeTransactions('sandbox')
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
}

/** The transactions that the index and the service have, each as text that both write alike. */
async function compared(desk: TestConsole) {
  const inIndex = await desk.db.select().from(indexedTransactions)
  const atService = await desk.service.service.db.select().from(cardAccountTransactions)
  const lines = (
    rows: readonly { id: string; status: string | null; amount: string | null; disputeStatus: string | null }[],
  ) =>
    rows.map(({ id, status, amount, disputeStatus }) => `${id} ${status} ${Number(amount)} ${disputeStatus}`).toSorted()
  return { index: lines(inIndex), service: lines(atService) }
}

/** One top-up by the service, and copies of it that are each a second older. */
async function addTopUps(desk: TestConsole, cardAccountId: string, count: number): Promise<void> {
  await desk.service.control('POST', '/credits', { cardAccountId, intent: 'topup', amount: 1 })
  await desk.db.execute(sql`
    insert into service.card_account_transactions
    select (jsonb_populate_record(newest, jsonb_build_object(
      'id', gen_random_uuid(), 'ref_id', gen_random_uuid(), 'created_at', created_at - make_interval(secs => age)))).*
    from service.card_account_transactions as newest, generate_series(1, ${count - 1}::int) as age
    where id = (select id from service.card_account_transactions where card_account_id = ${cardAccountId}
      order by created_at desc limit 1)`)
}

const listingRequests = ({ requests }: TestConsole) => requests.get('/cardaccounts/transactions') ?? 0

test('a program without an account has no transactions, once its accounts were read', async () => {
  const empty = await openConsole({ seeded: 0 })
  await empty.signIn('operations')
  const coverage = async () => {
    Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
    return (await listProgramTransactions('sandbox', {})).coverage
  }
  expect(await coverage()).toMatchObject({ accounts: 0, isComplete: false })
  await accountIndex.readAll('sandbox')
  expect(await coverage()).toMatchObject({ accounts: 0, isComplete: true, minutesLeft: null })
})

test('the index has every transaction of the program, and its totals are the service’s', async () => {
  await indexed(desk)
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
  expect(index.length).toBeGreaterThan(50)
  const { totals, coverage } = await listProgramTransactions('sandbox', {})
  expect(totals.matching).toBe(service.length)
  expect(coverage).toMatchObject({ accounts: 12, accountsRead: 12, isComplete: true, minutesLeft: null })
  const charged = await desk.service.service.db
    .select({ amount: cardAccountTransactions.amount })
    .from(cardAccountTransactions)
    .where(
      and(
        eq(cardAccountTransactions.currency, 'HKD'),
        eq(cardAccountTransactions.entryType, 'CREDIT'),
        ne(cardAccountTransactions.status, 'declined'),
        ne(cardAccountTransactions.status, 'void'),
      ),
    )
  const taken = totals.totals.find(({ currency }) => currency === 'HKD')?.taken
  expect(taken).toBe(sum(charged.map(({ amount }) => amount)).toFixed())
})

test('an account whose figures did not change costs no request, and one that an event explained costs none', async () => {
  await indexed(desk)
  desk.requests.clear()
  await indexed(desk)
  expect(listingRequests(desk)).toBe(0)

  const key = await signingKey()
  const { account, transaction } = await chargeAnAccount(desk)
  await deliver(key, makeEvent('cardaccount.transaction.created', transaction))
  await applyingDone()
  await indexed(desk)
  expect(listingRequests(desk)).toBe(0)
  const found = await listProgramTransactions('sandbox', { cardAccountId: account })
  expect(found.transactions[0]).toMatchObject({ id: transaction.id, status: 'pending' })
})

test('a charge whose event never came is found by the figures of its account, with one request', async () => {
  await indexed(desk)
  const { transaction } = await chargeAnAccount(desk)
  desk.requests.clear()
  await indexed(desk)
  expect(listingRequests(desk)).toBe(1)
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
  expect(index.some((line) => line.startsWith(transaction.id))).toBe(true)
})

test('a decline and a capture whose events never came change no figure, and are found by the next hourly reading', async () => {
  const desk = await openConsole({ seeded: 3 })
  await indexed(desk)
  const { account, transaction } = await chargeAnAccount(desk)
  await indexed(desk)
  await desk.service.control('POST', '/captures', { transactionId: transaction.id })
  const { rows } = await desk.db.execute<{ card: string }>(
    sql`select id::text as card from service.cards where card_account_id = ${account} and status = 'active' limit 1`,
  )
  await desk.service.call('simulateAuthorization', {
    body: { cardAccountId: account, cardId: rows[0]?.card ?? '', amount: 9_000_000, currency: 'HKD' },
  })
  desk.requests.clear()
  await indexed(desk)
  expect(listingRequests(desk)).toBe(0)
  expect((await compared(desk)).index).not.toEqual((await compared(desk)).service)
  await desk.db.update(transactionProgress).set({ lastReadAt: new Date(Date.now() - 61 * 60_000) })
  await indexed(desk)
  expect(listingRequests(desk)).toBe(3)
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
  await indexed(desk)
  expect(listingRequests(desk)).toBe(3)
})

test('an account of several requests is compared whole once in as many hours', async () => {
  const desk = await openConsole({ seeded: 3 })
  const { rows } = await desk.service.service.db.execute<{ id: string; entries: number }>(sql`
    select card_account_id::text as id, count(*)::int as entries from service.card_account_transactions
    group by 1 order by entries desc limit 1`)
  const { id, entries } = rows[0] ?? { id: '', entries: 0 }
  await addTopUps(desk, id, 101 - entries)
  await indexed(desk)
  const altered = sql`id = (select id from console.index_transactions where card_account_id = ${id} order by created_at limit 1)`
  await desk.db.update(indexedTransactions).set({ disputeStatus: 'odd' }).where(altered)
  const readAgain = async (hours: number) => {
    await desk.db.update(transactionProgress).set({ lastReadAt: new Date(0), wholeReadAt: hoursAgo(hours) })
    await indexed(desk)
    const { index, service } = await compared(desk)
    return index.filter((line) => !service.includes(line))
  }
  expect(await readAgain(1.5)).toHaveLength(1)
  expect(await readAgain(2.5)).toEqual([])
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

test('what the service no longer has leaves the index, and what was altered is healed', async () => {
  await indexed(desk)
  const [row] = await desk.db
    .select()
    .from(indexedTransactions)
    .where(and(eq(indexedTransactions.status, 'posted'), eq(indexedTransactions.intent, 'charge')))
  if (!row) throw new Error('the seed has a posted charge')
  await desk.db.insert(indexedTransactions).values({ ...row, id: randomUUID(), amount: '7', readAt: new Date(0) })
  await desk.db
    .update(indexedAccounts)
    .set({ figuresChangedAt: new Date() })
    .where(eq(indexedAccounts.id, row.cardAccountId))
  await indexSomeTransactions('sandbox')
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
})

test('a reading that was interrupted goes on where it stopped', async () => {
  const desk = await openConsole({ seeded: 3 })
  const [{ id } = { id: '' }] = await desk.service.service.db
    .execute<{ id: string }>(sql`select id from service.card_accounts order by id limit 1`)
    .then(({ rows }) => rows)
  await addTopUps(desk, id, 120)
  await desk.signIn('operations')
  await accountIndex.readAll('sandbox')
  let pages = 0
  desk.intercept.before = async ({ url }, response) => {
    if (!url?.includes(id) || !url.includes('/cardaccounts/transactions')) return false
    pages += 1
    if (pages === 1) return false
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"code":"INVALID_PARAMETERS","message":"no"}')
    return true
  }
  await indexSomeTransactions('sandbox').catch(() => undefined)
  const [before] = await desk.db.select().from(transactionProgress).where(eq(transactionProgress.cardAccountId, id))
  expect(before).toMatchObject({ isWhole: false, resumeAt: expect.any(Date) as Date })
  desk.intercept.before = async () => false
  await endPauses(desk)
  // What comes in between is newer than everything that was read.
  await addTopUps(desk, id, 1)
  await indexed(desk)
  const [after] = await desk.db.select().from(transactionProgress).where(eq(transactionProgress.cardAccountId, id))
  expect(after).toMatchObject({ isWhole: true, resumeAt: null })
  const { index, service } = await compared(desk)
  expect(index).toEqual(service)
})

test('an opening balance that one reading got wrong is right again with the next, and none once two readings differ', async () => {
  const desk = await openConsole({ seeded: 1 })
  await indexed(desk)
  const openings = async () => {
    await desk.db.update(transactionProgress).set({ lastReadAt: null })
    await indexSomeTransactions('sandbox')
    const [{ openingBalance } = { openingBalance: null }] = await desk.db.select().from(transactionProgress)
    return openingBalance === null ? null : Number(openingBalance)
  }
  const shift = (by: number) =>
    desk.db.update(transactionProgress).set({ openingBalance: sql`opening_balance + ${by}` })
  const right = await openings()
  await shift(7)
  expect(await openings()).toBe(right)
  expect(await openings()).toBe(right)
  await shift(7)
  expect(await openings()).toBe(right)
  await shift(7)
  expect(await openings()).toBeNull()
})

/** What failed may be tried again. */
async function endPauses({ db }: Pick<typeof desk, 'db'>): Promise<void> {
  await db.update(transactionProgress).set({ failedAt: sql`failed_at - interval '11 minutes'` })
}

test('an account whose transactions cannot be read is left for ten minutes, and takes no turn of the others', async () => {
  const desk = await openConsole({ seeded: 3 })
  await desk.signIn('operations')
  await accountIndex.readAll('sandbox')
  const [{ id } = { id: '' }] = await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts).limit(1)
  let refused = 0
  desk.intercept.before = async ({ url }, response) => {
    if (!url?.includes(id) || !url.includes('/cardaccounts/transactions')) return false
    refused += 1
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"code":"INVALID_PARAMETERS","message":"no"}')
    return true
  }
  await expect(indexSomeTransactions('sandbox')).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  await indexSomeTransactions('sandbox')
  expect(refused).toBe(1)
  expect(await desk.db.$count(transactionProgress, eq(transactionProgress.isWhole, true))).toBe(2)
  desk.intercept.before = async () => false
  await endPauses(desk)
  await indexSomeTransactions('sandbox')
  expect(await desk.db.$count(transactionProgress, eq(transactionProgress.isWhole, true))).toBe(3)
  const [read] = await desk.db.select().from(transactionProgress).where(eq(transactionProgress.cardAccountId, id))
  expect(read?.failedAt).toBeNull()
})

test('a reading of a list that begins with the oldest does not skip the rest where it was interrupted', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  await accountIndex.readAll('sandbox')
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  const all = Array.from({ length: 150 }, (_, minute) => ({
    id: `T-${minute}`,
    createdAt: at(minute),
    status: 'posted',
  }))
  let isDown = true
  desk.intercept.before = ({ url = '' }, response) => {
    const query = new URL(url, 'http://service.test').searchParams
    if (!url.includes('/cardaccounts/transactions')) return false
    response.setHeader('content-type', 'application/json')
    const from = Number(query.get('pageToken') ?? 0)
    if (isDown && from > 0) response.writeHead(400).end('{"code":"INVALID_PARAMETERS","message":"no"}')
    const to = query.get('dateRangeTo')
    const listed = all.filter(({ createdAt }) => to === null || createdAt <= to)
    const nextPageToken = from + 100 < listed.length ? String(from + 100) : null
    if (!response.writableEnded)
      response.end(JSON.stringify({ transactions: listed.slice(from, from + 100), nextPageToken }))
    return true
  }
  await indexSomeTransactions('sandbox').catch(() => undefined)
  isDown = false
  await endPauses(desk)
  await indexed(desk)
  expect(await desk.db.$count(indexedTransactions)).toBe(150)
})

test.each([
  ['repeats a page token', { transactions: [{ id: 'T-1', amount: 1 }], nextPageToken: 'again' }],
  ['holds transactions without an id', { transactions: [{ amount: 1 }], nextPageToken: null }],
])('the coverage of a list that %s is not complete', async (_, page) => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('operations')
  await accountIndex.readAll('sandbox')
  const [odd] = await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts)
  desk.intercept.before = ({ url = '' }, response) => {
    if (!url.includes('/cardaccounts/transactions') || !url.includes(odd?.id ?? '')) return false
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page))
    return true
  }
  await indexed(desk)
  const { coverage } = await listProgramTransactions('sandbox', {})
  expect(coverage).toMatchObject({ accounts: 2, accountsRead: 1, isComplete: false, minutesLeft: null })
})

test('an account with a transaction that cannot be read is read again as the others are, and from its beginning after an interruption', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  await accountIndex.readAll('sandbox')
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  const all: { id?: string; createdAt: string; status: string }[] = Array.from({ length: 150 }, (_, age) => ({
    ...(age === 5 ? {} : { id: `T-${age}` }),
    createdAt: at(1000 - age),
    status: 'posted',
  }))
  let isDown = true
  desk.intercept.before = ({ url = '' }, response) => {
    if (!url.includes('/cardaccounts/transactions')) return false
    const query = new URL(url, 'http://service.test').searchParams
    response.setHeader('content-type', 'application/json')
    const first = Number(query.get('pageToken') ?? 0)
    if (isDown && first > 0) response.writeHead(400).end('{"code":"INVALID_PARAMETERS","message":"no"}')
    const [from, to] = [query.get('dateRangeFrom') ?? '', query.get('dateRangeTo') ?? '9']
    const listed = all.filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    const nextPageToken = first + 100 < listed.length ? String(first + 100) : null
    if (!response.writableEnded)
      response.end(JSON.stringify({ transactions: listed.slice(first, first + 100), nextPageToken }))
    return true
  }
  const coverage = async () => (await listProgramTransactions('sandbox', {})).coverage
  await indexSomeTransactions('sandbox').catch(() => undefined)
  isDown = false
  await endPauses(desk)
  await indexed(desk)
  expect(await coverage()).toMatchObject({ accountsRead: 0, isComplete: false })
  all.unshift({ id: 'T-new', createdAt: at(1001), status: 'posted' })
  await desk.db.update(transactionProgress).set({ lastReadAt: new Date(Date.now() - 61 * 60_000) })
  desk.requests.clear()
  await indexed(desk)
  expect(listingRequests(desk)).toBe(1)
  expect(await desk.db.$count(indexedTransactions)).toBe(150)
  expect(await coverage()).toMatchObject({ accountsRead: 0, isComplete: false })
})

test('events that come twice, late and in another order leave the latest state', async () => {
  await indexed(desk)
  const key = await signingKey()
  const { transaction } = await chargeAnAccount(desk)
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const posted = { ...transaction, status: 'posted', postedAt: at(1) }
  const send = async (record: Record<string, unknown>, minutes: number) => {
    await deliver(key, { ...makeEvent('cardaccount.transaction.updated', record), time: at(minutes) })
    await applyingDone()
    await applyInbox()
  }
  await send(posted, 2)
  await send(transaction, 1)
  await send({ ...posted, disputeStatus: 'requested' }, 4)
  await send(posted, 3)
  const [row] = await desk.db.select().from(indexedTransactions).where(eq(indexedTransactions.id, transaction.id))
  expect(row).toMatchObject({ status: 'posted', disputeStatus: 'requested' })
})

test('an event that comes after a newer reading changes the row to what the service has then, whatever its clock', async () => {
  await indexed(desk)
  const key = await signingKey()
  const { transaction, account } = await chargeAnAccount(desk)
  const at = new Date()
  const send = async (record: Record<string, unknown>) => {
    const event = makeEvent('cardaccount.transaction.updated', record)
    await deliver(key, { ...event, time: at.toISOString() })
    await applyingDone()
    await applyInbox()
  }
  const hasDispute = async (disputeStatus: 'requested' | 'success') => {
    await desk.service.service.db
      .update(cardAccountTransactions)
      .set({ disputeStatus })
      .where(eq(cardAccountTransactions.id, transaction.id))
  }
  const posted = await desk.service.control('POST', '/captures', { transactionId: transaction.id })
  expect(posted.status).toBe(200)
  await hasDispute('requested')
  const { transaction: read, fetchedAt } = await fetchTransaction('sandbox', account, transaction.id)
  await indexTransactions(desk.db, 'sandbox', account, [read], fetchedAt)
  const shown = async () => {
    const [row] = await desk.db.select().from(indexedTransactions).where(eq(indexedTransactions.id, transaction.id))
    return row?.disputeStatus
  }
  desk.requests.clear()
  await send({ ...read })
  expect(listingRequests(desk)).toBe(0)
  await send({ ...read, disputeStatus: null })
  expect(await shown()).toBe('requested')
  await hasDispute('success')
  await send({ ...read, disputeStatus: 'success' })
  expect(await shown(), 'by a clock that is behind').toBe('success')
})

test('filters narrow the list by status, merchant, code, amount and day, and declines are counted by reason', async () => {
  const desk = await openConsole({ seeded: 40 })
  await indexed(desk)
  const all = await desk.db.select().from(indexedTransactions)
  const declined = all.filter(({ status }) => status === 'declined')
  expect(declined.length).toBeGreaterThan(0)
  const list = await listProgramTransactions('sandbox', { status: 'declined', pageSize: 100 })
  expect(list.totals.matching).toBe(declined.length)
  const coded = all.filter(({ mcc, merchantCategory }) => mcc !== null && merchantCategory !== null)
  expect(list.choices.categories).toEqual(
    Object.fromEntries(coded.map(({ mcc, merchantCategory }) => [mcc, merchantCategory])),
  )
  // The oldest: a week after it has to be in the past.
  const [one] = declined.toSorted((left, right) => Number(left.createdAt) - Number(right.createdAt))
  if (!one?.merchantName || !one.createdAt) throw new Error('a declined charge has a merchant')
  const byMerchant = await listProgramTransactions('sandbox', { merchant: one.merchantName.slice(1, -1) })
  expect(byMerchant.totals.matching).toBe(all.filter(({ merchantName }) => merchantName === one.merchantName).length)
  const day = { dateRangeFrom: one.createdAt.toISOString(), dateRangeTo: one.createdAt.toISOString() }
  expect((await listProgramTransactions('sandbox', day)).transactions.map(({ id }) => id)).toContain(one.id)
  const found = await listProgramTransactions('sandbox', {
    q: `${one.cardLast4} ${one.merchantName}`,
    status: 'declined',
  })
  expect(found.transactions.map(({ id }) => id)).toContain(one.id)
  const four = await listProgramTransactions('sandbox', { q: one.cardLast4 ?? '', pageSize: 100 })
  expect(new Set(four.transactions.map(({ cardLast4 }) => cardLast4)), 'no part of an id').toEqual(
    new Set([one.cardLast4]),
  )
  await desk.db.insert(indexedTransactions).values({
    ...one,
    id: `${one.cardLast4}${randomUUID()}`,
    cardLast4: '0000',
    searchText: `x\nid-${one.cardLast4}-y`,
  })
  expect((await listProgramTransactions('sandbox', { q: one.cardLast4 ?? '' })).totals.matching).toBe(
    four.totals.matching,
  )
  await desk.db.delete(indexedTransactions).where(eq(indexedTransactions.cardLast4, '0000'))
  const accounts = await desk.db.select().from(indexedAccounts)
  const named = accounts.filter(({ name }) => name?.includes('大'))
  expect(named.length).toBeGreaterThan(0)
  const ofNamed = all.filter(({ cardAccountId }) => named.some(({ id }) => id === cardAccountId))
  expect((await listProgramTransactions('sandbox', { q: '大' })).totals.matching).toBe(ofNamed.length)
  const dear = await listProgramTransactions('sandbox', { currency: 'HKD', amountFrom: '1000', sort: 'amount' })
  const amounts = dear.transactions.map(({ amount }) => amount ?? 0)
  expect(Math.min(...amounts)).toBeGreaterThanOrEqual(1000)
  expect(amounts).toEqual(amounts.toSorted((left, right) => right - left))

  const reasons = await listDeclineReasons('sandbox', {})
  expect(reasons.reduce((count, { declines }) => count + declines, 0)).toBe(declined.length)
  const week = new Date(one.createdAt.getTime() + 7 * 24 * 60 * 60_000).toISOString()
  await desk.db.insert(indexedTransactions).values({ ...one, id: randomUUID(), createdAt: new Date(week) })
  const [trend] = await listDeclineReasons('sandbox', { dateRangeFrom: week, dateRangeTo: week })
  expect(trend).toMatchObject({ responseCode: one.responseCode, declines: 1, declinesBefore: 1 })
})

test('declines are counted by code and message, and a range without an end is compared with the same hours, not with the week', async () => {
  await indexed(desk)
  const rows = await desk.db.select().from(indexedTransactions).where(eq(indexedTransactions.status, 'declined'))
  const [one] = rows
  if (!one) throw new Error('the seed has a declined charge')
  await desk.db.delete(indexedTransactions).where(eq(indexedTransactions.status, 'declined'))
  const now = Date.now()
  const minute = 60_000
  const week = 7 * 24 * 60 * minute
  const add = (responseMessage: string, ...ages: number[]) =>
    desk.db.insert(indexedTransactions).values(
      ages.map((age) => ({
        ...one,
        id: randomUUID(),
        responseCode: '61',
        responseMessage,
        createdAt: new Date(now - age),
      })),
    )
  await add('Exceeds the daily limit', minute, 2 * minute, week + minute)
  await add('Exceeds the card limit', minute)
  // Before and after the same hours a week ago.
  await add('Exceeds the card limit', week + 20 * minute, week - 60 * minute, 3 * 24 * 60 * minute)
  await add('Exceeds the single transaction limit', week + 2 * minute)
  const from = { dateRangeFrom: new Date(now - 10 * minute).toISOString() }
  const expected = [
    { responseMessage: 'Exceeds the daily limit', declines: 2, declinesBefore: 1 },
    { responseMessage: 'Exceeds the card limit', declines: 1, declinesBefore: 0 },
    { responseMessage: 'Exceeds the single transaction limit', declines: 0, declinesBefore: 1 },
  ]
  expect(await listDeclineReasons('sandbox', from)).toMatchObject(expected)
  const endOfDay = new Date(now + 600 * minute).toISOString()
  expect(await listDeclineReasons('sandbox', { ...from, dateRangeTo: endOfDay })).toMatchObject(expected)
  const chosen = { ...from, status: 'declined', responseCode: '61', responseMessage: 'Exceeds the card limit' }
  expect((await listProgramTransactions('sandbox', chosen)).totals.matching).toBe(1)
})

/** Charges a card of some account at the service, which the console is not told of. */
test('an open dispute is as old as the first event or reading that showed it, and may be older where it was never seen closed', async () => {
  await indexed(desk)
  const list = async (search: object = {}) =>
    (await listProgramTransactions('sandbox', { dispute: 'open', pageSize: '100', ...search })).transactions
  const seeded = await list()
  expect(seeded.length).toBeGreaterThan(0)
  for (const one of seeded) expect(one).toMatchObject({ disputeMayBeOlder: true, disputeOpenedAt: expect.any(String) })
  const [row] = await desk.db
    .select()
    .from(indexedTransactions)
    .where(
      sql`card_account_id not in (select card_account_id from console.index_transactions where dispute_status is not null)`,
    )
  if (!row) throw new Error('the seed has accounts without a dispute')
  const { transaction } = await fetchTransaction('sandbox', row.cardAccountId, row.id)
  const read = (disputeStatus: 'requested' | 'pending' | 'success', at: string) =>
    indexTransactions(desk.db, 'sandbox', row.cardAccountId, [{ ...transaction, disputeStatus }], new Date(at))
  const age = async () => (await list()).find(({ id }) => id === row.id)
  const ageOfAccount = async () => {
    const [account] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, row.cardAccountId))
    return [account?.disputedSince?.toISOString() ?? null, account?.disputeMayBeOlder]
  }
  await read('requested', '2036-01-01T00:00:00.000Z')
  const opened = { disputeOpenedAt: '2036-01-01T00:00:00.000Z', disputeMayBeOlder: false }
  expect(await age()).toMatchObject(opened)
  expect(await ageOfAccount()).toEqual([opened.disputeOpenedAt, false])
  await read('pending', '2036-02-01T00:00:00.000Z')
  expect(await age(), 'its age is kept').toMatchObject(opened)
  await read('success', '2036-03-01T00:00:00.000Z')
  expect(await age()).toBeUndefined()
  expect(await ageOfAccount()).toEqual([null, false])
  await read('requested', '2036-04-01T00:00:00.000Z')
  expect(await age(), 'opened again').toMatchObject({ disputeOpenedAt: '2036-04-01T00:00:00.000Z' })
  const sorted = await list({ sort: 'disputeOpenedAt', direction: 'desc' })
  expect(sorted[0]?.id).toBe(row.id)
  const old = new Date(Date.now() - 20 * 86_400_000)
  await desk.db
    .update(indexedTransactions)
    .set({ disputeOpenedAt: old })
    .where(eq(indexedTransactions.id, seeded[0]?.id ?? ''))
  expect((await list({ disputeDays: '14' })).map(({ id }) => id)).toEqual([seeded[0]?.id])
  // A row of an earlier version: when its dispute opened is not known, and no later reading makes it up.
  await desk.db.update(indexedTransactions).set({ disputeOpenedAt: null }).where(eq(indexedTransactions.id, row.id))
  await read('pending', '2036-05-01T00:00:00.000Z')
  expect(await age()).toMatchObject({ disputeOpenedAt: null })
})

test('each page of the transactions follows the one before, with every filter', async () => {
  await indexed(desk)
  for (const search of [{}, { disputeDays: '1' }, { status: 'posted', sort: 'createdAt', direction: 'asc' }] as const) {
    await desk.db
      .update(indexedTransactions)
      .set({ disputeOpenedAt: new Date(0) })
      .where(sql`dispute_opened_at is not null`)
    const ids: string[] = []
    for (let pageToken: string | undefined; ;) {
      const { transactions, nextPageToken } = await listProgramTransactions('sandbox', {
        ...search,
        pageSize: 1,
        pageToken,
      })
      ids.push(...transactions.map(({ id }) => id))
      if (!nextPageToken || ids.length >= 12) break
      pageToken = nextPageToken
    }
    const { transactions } = await listProgramTransactions('sandbox', { ...search, pageSize: 50 })
    expect(ids).toEqual(transactions.slice(0, ids.length).map(({ id }) => id))
    expect(ids.length).toBeGreaterThan(1)
  }
})

test('each filter of the transactions keeps exactly those that it names, and the totals follow it', async () => {
  const desk = await openConsole()
  await indexed(desk)
  const rows = await desk.db.select().from(indexedTransactions)
  const one = rows.find(
    (row) => row.status === 'declined' && row.merchantName && row.mcc && row.responseCode && row.createdAt,
  )
  if (!one?.merchantName || !one.mcc || !one.responseCode || !one.createdAt) throw new Error('the seed has declines')
  type Row = (typeof rows)[number]
  const at = one.createdAt.toISOString()
  const part = one.merchantName.slice(1, 5)
  const cases: [object, (row: Row) => boolean][] = [
    [{ status: 'declined' }, (row) => row.status === 'declined'],
    [{ status: ['declined', 'pending'] }, (row) => ['declined', 'pending'].includes(row.status ?? '')],
    [{ intent: 'repay' }, (row) => row.intent === 'repay'],
    [{ responseCode: one.responseCode }, (row) => row.responseCode === one.responseCode],
    [{ merchant: part.toUpperCase() }, (row) => (row.merchantName ?? '').toLowerCase().includes(part.toLowerCase())],
    [{ mcc: one.mcc }, (row) => row.mcc === one.mcc],
    [{ currency: one.currency }, (row) => row.currency === one.currency],
    [{ amountFrom: '100', amountTo: '500.50' }, (row) => Number(row.amount) >= 100 && Number(row.amount) <= 500.5],
    [{ cardAccountId: one.cardAccountId }, (row) => row.cardAccountId === one.cardAccountId],
    [{ cardAccountId: one.cardAccountId.toUpperCase() }, (row) => row.cardAccountId === one.cardAccountId],
    [{ cardId: one.cardId }, (row) => row.cardId === one.cardId],
    [{ cardLast4: one.cardLast4 }, (row) => row.cardLast4 === one.cardLast4],
    [{ dateRangeFrom: at }, (row) => (row.createdAt?.toISOString() ?? '') >= at],
    [{ dateRangeTo: at }, (row) => row.createdAt !== null && row.createdAt.toISOString() <= at],
    [
      { status: 'declined', mcc: one.mcc, currency: one.currency },
      (row) => row.status === 'declined' && row.mcc === one.mcc && row.currency === one.currency,
    ],
  ]
  for (const [search, keeps] of cases) {
    const expected = rows.filter(keeps)
    expect(expected.length, JSON.stringify(search)).toBeGreaterThan(0)
    const ids: string[] = []
    let matching = 0
    let totals: Awaited<ReturnType<typeof listProgramTransactions>>['totals']['totals'] = []
    for (let pageToken: string | undefined; ;) {
      const page = await listProgramTransactions('sandbox', { ...search, pageSize: 100, pageToken })
      ids.push(...page.transactions.map(({ id }) => id))
      ;({ matching, totals } = page.totals)
      if (!page.nextPageToken) break
      pageToken = page.nextPageToken
    }
    expect(ids.toSorted(), JSON.stringify(search)).toEqual(expected.map(({ id }) => id).toSorted())
    expect(matching).toBe(expected.length)
    for (const { currency, declined, declinedAmount } of totals) {
      const own = expected.filter((row) => row.currency === currency && row.status === 'declined')
      const amount = own.length === 0 ? null : sum(own.map((row) => row.amount ?? '0')).toFixed()
      expect([declined, declinedAmount]).toEqual([own.length, amount])
    }
  }
  for (const [search, message] of [
    [{ cardLast4: '42' }, 'cardLast4 must be four digits'],
    [{ mcc: '5'.repeat(17) }, 'mcc.0 must be at most 16 characters'],
    [{ status: Array.from({ length: 101 }, (_, number) => `code-${number}`) }, 'status must name at most 100'],
  ] as const) {
    const refused = expect(listProgramTransactions('sandbox', search as object)).rejects
    await refused.toMatchObject({ code: 'INVALID_PARAMETERS', message })
  }
})

test('accounts with a disputed amount are listed by the age of their oldest open dispute', async () => {
  await indexed(desk)
  const list = async (search: object = {}) => (await listCardAccounts('sandbox', { disputed: 'yes', ...search })).rows
  const all = await list()
  expect(all.length).toBeGreaterThan(1)
  const [one, other] = all.map(({ account }) => account.id)
  const open = (id: string | undefined) =>
    and(eq(indexedTransactions.cardAccountId, id ?? ''), sql`dispute_status in ('requested', 'pending')`)
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  const set = async (id: string | undefined, disputeOpenedAt: Date | null) => {
    await desk.db.update(indexedTransactions).set({ disputeOpenedAt, disputeMayBeOlder: false }).where(open(id))
    await updateDisputeAge(desk.db, 'sandbox', id ?? '')
  }
  const opened = days(40)
  await set(one, opened)
  await set(other, days(20))
  const sorted = await list({ sort: 'disputedSince', direction: 'asc' })
  expect(sorted.slice(0, 2).map(({ account }) => account.id)).toEqual([one, other])
  expect(sorted[0]).toMatchObject({ disputedSince: opened.toISOString(), disputeMayBeOlder: false })
  const found = await listCardAccounts('sandbox', { disputeDays: '30' })
  expect(found.rows.map(({ account }) => account.id)).toEqual([one])
  expect([found.matching, found.serviceAt]).toEqual([1, expect.any(String)])
  expect((await readAggregateBalances('sandbox', { disputeDays: '30' })).balances).toHaveLength(1)
  // Without a transaction that shows it, its age is not known, and it comes last.
  await set(one, null)
  const unknown = await list({ sort: 'disputedSince', direction: 'asc' })
  expect(unknown.at(-1)).toMatchObject({ account: { id: one }, disputedSince: null })
  await expect(listCardAccounts('sandbox', { sort: 'disputedSince' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
})

async function chargeAnAccount(desk: TestConsole) {
  const { rows } = await desk.db.execute<{ account: string; card: string }>(sql`
    select a.id as account, c.id::text as card from ${indexedAccounts} a
    join service.cards c on c.card_account_id::text = a.id
    where c.status = 'active' and a.available > 100 and a.currency = 'HKD' order by a.id, c.id limit 1`)
  const [found] = rows
  if (!found) throw new Error('the seed has an active card')
  const { json } = await desk.service.call('simulateAuthorization', {
    body: { cardAccountId: found.account, cardId: found.card, amount: 1, currency: 'HKD' },
  })
  const { json: listed } = await desk.service.call('listCardAccountTransactions', {
    query: { cardAccountId: found.account, transactionId: String(json.cardTransactionId) },
  })
  const [transaction] = (listed as { transactions: { id: string }[] }).transactions
  if (!transaction) throw new Error('the charge is listed')
  return { account: found.account, transaction }
}
