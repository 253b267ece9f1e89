import { randomUUID } from 'node:crypto'
import { and, eq, gt, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { prepareRequest } from '#lib/environments/environments.ts'
import { performOperation } from '#lib/operations/perform.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { fees } from '#lib/service/tables/fees.ts'
import { cardAccountTransactions as transactions } from '#lib/service/tables/transactions.ts'
import { events } from '#lib/service/tables/webhooks.ts'
import { lastEvent } from '#lib/service/testing-accounts.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { applyingDone } from '../inbox/apply.ts'
import { cardIn } from '../testing/cards.ts'
import { deliver, makeEvent, signingKey } from '../testing/deliveries.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { readTransaction } from './detail.ts'
import { listTransactions } from './list.ts'

async function openDesk() {
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('viewer')
  return desk
}

async function entryOf(desk: TestConsole, condition: Partial<typeof transactions.$inferSelect>) {
  const wanted = Object.entries(condition).map(([field, value]) => eq(transactions[field as 'id'], value as string))
  const [entry] = await desk.service.service.db
    .select()
    .from(transactions)
    .where(and(...wanted))
    .limit(1)
  if (!entry) throw new Error('the seed has such a transaction')
  return entry
}

async function fullReversal(
  desk: TestConsole,
  { id: cardTransactionId, cardAccountId }: { id: string; cardAccountId: string },
) {
  const response = await desk.service.call('simulateFullReversal', { body: { cardAccountId, cardTransactionId } })
  expect(response.status).toBe(200)
}

test('transactions that a filter does not name are left out and counted where the service ignores it', async () => {
  const desk = await openDesk()
  const entry = { cardAccountId: 'A-1', createdAt: '2026-11-02T00:00:00Z', amount: 5, currency: 'HKD' }
  const listed = [
    { ...entry, id: 'one', status: 'posted', intent: 'charge', cardId: 'C-1' },
    { ...entry, id: 'other status', status: 'void', intent: 'charge', cardId: 'c-1' },
    { ...entry, id: 'other card', status: 'posted', intent: 'topup', cardId: 'C-2' },
    { ...entry, id: 'silent', status: null, intent: null, cardId: null },
  ]
  desk.intercept.after = (request) =>
    request.url?.includes('/cardaccounts/transactions') ? Response.json({ transactions: listed }) : null
  const found = async (search: Parameters<typeof listTransactions>[2]) => {
    const { transactions, unmatched } = await listTransactions('sandbox', 'A-1', search)
    return [transactions.map(({ id }) => id), unmatched]
  }
  expect(await found({})).toEqual([listed.map(({ id }) => id), 0])
  expect(await found({ status: 'POSTED', cardId: 'C-1' })).toEqual([['one', 'silent'], 2])
  expect(await found({ intent: ['topup', 'refund'] })).toEqual([['other card', 'silent'], 2])
  expect(await found({ dateRangeTo: '2026-11-01T00:00:00Z' })).toEqual([[], 4])
})

test('empty pages before others are passed over, and a service that sends nothing else is asked a few times', async () => {
  const desk = await openDesk()
  const asked: (string | null)[] = []
  const one = { id: 'one', cardAccountId: 'A-1', createdAt: '2026-11-02T00:00:00Z', amount: 5, currency: 'HKD' }
  let last = 'p3'
  desk.intercept.after = (request) => {
    const url = new URL(request.url ?? '', 'http://service.test')
    if (!url.pathname.endsWith('/cardaccounts/transactions')) return null
    const token = url.searchParams.get('pageToken')
    asked.push(token)
    if (token === last) return Response.json({ transactions: [one], nextPageToken: 'older' })
    return Response.json({ transactions: [], nextPageToken: `p${asked.length}` })
  }
  const page = await listTransactions('sandbox', 'A-1', { status: 'posted' })
  expect([page.transactions.map(({ id }) => id), page.nextPageToken]).toEqual([['one'], 'older'])
  expect(asked).toEqual([null, 'p1', 'p2', 'p3'])

  asked.length = 0
  last = 'never'
  const nothing = await listTransactions('sandbox', 'A-1', {})
  expect([nothing.transactions, nothing.nextPageToken, asked.length]).toEqual([[], 'p11', 11])
})

test('every filter of the interface narrows the list, several intents at once', async () => {
  const desk = await openDesk()
  const { cardAccountId, id, cardId } = await entryOf(desk, { status: 'posted', intent: 'charge' })
  const xid = `POS-${randomUUID()}`
  await desk.service.service.db.update(transactions).set({ xid }).where(eq(transactions.id, id))
  const all = (await listTransactions('sandbox', cardAccountId, { pageSize: 100 })).transactions
  const found = async (search: Parameters<typeof listTransactions>[2]) =>
    (await listTransactions('sandbox', cardAccountId, { pageSize: 100, ...search })).transactions.map((one) => one.id)
  const those = (holds: (one: (typeof all)[number]) => boolean) => all.filter(holds).map((one) => one.id)

  expect(await found({ transactionId: id })).toEqual([id])
  expect(await found({ xid })).toEqual([id])
  expect(await found({ find: id.toUpperCase() })).toEqual([id])
  expect(await found({ find: xid })).toEqual([id])
  expect(await found({ find: randomUUID() })).toEqual([])
  expect(await found({ find: id, status: 'void' })).toEqual([])
  expect(await found({ status: 'declined' })).toEqual(those(({ status }) => status === 'declined'))
  expect(await found({ intent: ['fee', 'charge'] })).toEqual(
    those(({ intent }) => intent === 'fee' || intent === 'charge'),
  )
  expect(await found({ cardId: cardId ?? '' })).toEqual(those((one) => one.cardId === cardId))
})

test('an external id that has the form of a UUID is found as well', async () => {
  const desk = await openDesk()
  const { cardAccountId, id } = await entryOf(desk, { status: 'posted', intent: 'charge' })
  const xid = randomUUID()
  await desk.service.service.db.update(transactions).set({ xid }).where(eq(transactions.id, id))
  const { transactions: found } = await listTransactions('sandbox', cardAccountId, { find: xid })
  expect(found.map((one) => one.id)).toEqual([id])
})

test('a card number is never searched for, a wrong filter is named', async () => {
  const desk = await openDesk()
  const { cardAccountId } = await entryOf(desk, { status: 'posted' })
  desk.requests.clear()
  const refused = (search: Parameters<typeof listTransactions>[2]) =>
    expect(listTransactions('sandbox', cardAccountId, search)).rejects
  await refused({ find: '4242 4242 4242 4242' }).toMatchObject({ code: 'CARD_NUMBER_REFUSED' })
  await refused({ transactionId: 'x\0' }).toMatchObject({ code: 'INVALID_PARAMETERS', message: /transactionId/ })
  await refused({ status: 'x'.repeat(101) }).toMatchObject({ code: 'INVALID_PARAMETERS', message: /status/ })
  await refused({ find: 'a\0b' }).toMatchObject({ code: 'INVALID_PARAMETERS' })
  expect(desk.requests.size).toBe(0)
})

/** Responds with lists of transactions in the place of the service, and says what was requested. */
function respondWithTransactions(desk: TestConsole, transactions: readonly unknown[], more: object = {}) {
  const requested: URLSearchParams[] = []
  desk.intercept.before = (request, response) => {
    const url = new URL(request.url ?? '', 'http://service.test')
    if (url.pathname.endsWith('/cardaccounts')) {
      const cardaccounts = [{ id: url.searchParams.get('cardAccountId') }]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ cardaccounts }))
      return true
    }
    if (!url.pathname.endsWith('/cardaccounts/transactions')) return false
    requested.push(url.searchParams)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ transactions, ...more }))
    return true
  }
  return requested
}

test('codes and ids that the console does not know are sent as they were typed', async () => {
  const desk = await openDesk()
  const requested = respondWithTransactions(desk, [{ id: 'T_1' }, {}, null])
  const search = { status: 'On-Hold', intent: ['loyalty', 'fee'], cardId: 'CARD_1', transactionId: 'T_1' }
  const page = await listTransactions('sandbox', 'ACC_1', search)
  expect(requested.map((one) => one.toString())).toEqual([
    'cardAccountId=ACC_1&transactionId=T_1&cardId=CARD_1&status=On-Hold&intent=loyalty&intent=fee',
  ])
  expect(page).toMatchObject({ excluded: 2, nextPageToken: null, prevPageToken: null })
  expect(page.transactions).toMatchObject([{ id: 'T_1', status: null, amount: null, entryType: null, createdAt: null }])
})

test('a transaction with missing fields is found by an id of any form and case, without false relations', async () => {
  const desk = await openDesk()
  const bare = { intent: 'charge', description: 'x' }
  const refund = { id: 'T_2', intent: 'refund', description: 'refund x' }
  const requested = respondWithTransactions(desk, [{ id: 'T_1', ...bare }, refund], { nextPageToken: 'same' })
  const read = await readTransaction('sandbox', randomUUID(), 't_1')
  expect(read).toMatchObject({
    transaction: { id: 'T_1', status: null, amount: null },
    related: { entries: [], isWhole: false },
    timeline: [{ kind: 'recorded', at: null, status: null }],
    missing: [],
  })
  // One for the transaction, two for related entries: the second page has the token of the first.
  expect(requested).toHaveLength(3)
})

test('a list of transactions under another key is refused by name', async () => {
  const desk = await openDesk()
  desk.intercept.before = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
    return true
  }
  await expect(listTransactions('sandbox', 'ACC_1', {})).rejects.toMatchObject({
    code: 'SERVICE_REFUSED',
    message: expect.stringMatching(/cardaccounts\/transactions.*"data".*"transactions"/),
  })
})

test('a charge that was disputed, captured and refunded: its timeline from events in any order, its refund beside it', async () => {
  const desk = await openDesk()
  const key = await signingKey()
  const { target } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  const start = await lastEvent(desk.service)
  const authorized = await desk.service.call('simulateAuthorization', {
    body: { cardAccountId, cardId, amount: 1.5, currency: 'USD' },
  })
  const id = authorized.json.cardTransactionId as string
  await desk.service.control('POST', '/clock', { advance: 'PT25H' })
  for (const status of ['requested', 'pending', 'failed']) {
    await desk.service.control('POST', '/clock', { advance: 'PT1H' })
    await desk.service.control('POST', '/disputes', { transactionId: id, status })
  }
  await desk.service.control('POST', '/clock', { advance: 'PT1H' })
  await fullReversal(desk, { id, cardAccountId })
  const happened = await desk.service.service.db
    .select()
    .from(events)
    .where(and(gt(events.position, start), like(events.event, 'cardaccount.transaction.%')))
  expect(happened.length).toBeGreaterThan(4)
  for (const { event, data, time } of happened.toReversed()) {
    const sent = { ...makeEvent(event, data), time: time.toISOString() }
    await deliver(key, sent)
    await deliver(key, sent)
  }
  await applyingDone()
  const { timeline, related, transaction } = await readTransaction('sandbox', cardAccountId, id.toUpperCase())
  expect(timeline.map(({ kind, status, known }) => [kind, status, known])).toEqual([
    ['recorded', null, 'record'],
    ['authorized', 'posted', 'record'],
    ['posted', 'posted', 'record'],
    ['disputed', 'requested', 'event'],
    ['disputed', 'pending', 'event'],
    ['disputed', 'failed', 'event'],
    ['refunded', 'posted', 'inferred'],
  ])
  expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted())
  expect(timeline[1]?.at).toBe(transaction.authorization?.createdAt)
  expect(related).toMatchObject({
    isWhole: true,
    entries: [{ relation: 'refund', basis: 'amount', amount: transaction.amount, entryType: 'DEBIT' }],
  })
  const refund = await readTransaction('sandbox', cardAccountId, related.entries[0]?.id ?? '')
  expect(refund.related.entries).toMatchObject([{ relation: 'charge', id }])
})

test('a refund that may be a part of a charge is named as that, and as no step of its history', async () => {
  const desk = await openDesk()
  const { target } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  const body = { cardAccountId, cardId, amount: 1.5, currency: 'USD' }
  const { json } = await desk.service.call('simulateAuthorization', { body })
  const id = json.cardTransactionId as string
  await desk.service.control('POST', '/clock', { advance: 'PT25H' })
  await desk.service.control('POST', '/reversals', { transactionId: id, amount: 0.5 })
  const { timeline, related } = await readTransaction('sandbox', cardAccountId, id)
  expect(related.entries).toMatchObject([{ relation: 'refund', basis: 'part', amount: 0.5 }])
  expect(timeline.map(({ kind }) => kind)).not.toContain('refunded')
  const refund = await readTransaction('sandbox', cardAccountId, related.entries[0]?.id ?? '')
  expect(refund.related.entries).toMatchObject([{ relation: 'charge', basis: 'part', id }])
})

test('a fee links to its fee entry, with the person who waived it', async () => {
  const desk = await openDesk()
  const [fee] = await desk.service.service.db.select().from(fees).where(eq(fees.status, 'posted')).limit(1)
  if (!fee) throw new Error('the seed has a posted fee')
  const { cardAccountId, transactionId } = fee
  const read = await readTransaction('sandbox', cardAccountId, transactionId)
  expect(read).toMatchObject({ fee: { id: fee.id, intent: fee.intent, status: 'posted' }, missing: [] })

  const staff = await desk.signIn('operations')
  if (!staff) throw new Error('there are demo staff')
  await performOperation({
    id: randomUUID(),
    environment: 'sandbox',
    kind: 'fee.waive',
    by: { id: staff.id, name: staff.name, role: staff.role },
    target: { type: 'fee', id: fee.id, parentId: cardAccountId, label: null },
    reason: null,
    comment: null,
    request: prepareRequest('sandbox', 'waiveFee', { id: fee.id }),
  })
  const after = await readTransaction('sandbox', cardAccountId, transactionId)
  expect(after).toMatchObject({ fee: { status: 'void' }, transaction: { status: 'void' } })
  expect(after.timeline.at(-1)).toMatchObject({ kind: 'void', known: 'journal', by: { name: staff.name } })
})

test('where the fee or the related entries cannot be read, the page has the rest and names what is missing', async () => {
  const desk = await openDesk()
  const [fee] = await desk.service.service.db.select().from(fees).limit(1)
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/fees')) return false
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"INVALID_SIGNATURE","message":"no"}')
    return true
  }
  const read = await readTransaction('sandbox', fee?.cardAccountId ?? '', fee?.transactionId ?? '')
  expect(read).toMatchObject({ fee: null, missing: ['fee'], transaction: { id: fee?.transactionId } })
})

test('an unknown transaction, one of another account, and ids that are none are all not found', async () => {
  const desk = await openDesk()
  const one = await entryOf(desk, { status: 'posted' })
  const others = await desk.service.service.db.select().from(cardAccounts)
  const other = others.find(({ id }) => id !== one.cardAccountId)?.id ?? ''
  for (const [accountId, id] of [
    [one.cardAccountId, randomUUID()],
    [other, one.id],
    [randomUUID(), one.id],
    ['x', one.id],
    [one.cardAccountId, '../x'],
  ] as const) {
    await expect(readTransaction('sandbox', accountId, id)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
  }
})

test('a delivery about another transaction that only names this one, or that cannot be read, is no part of it', async () => {
  const desk = await openDesk()
  const key = await signingKey()
  const { id, cardAccountId } = await entryOf(desk, { status: 'posted', intent: 'charge' })
  const before = (await readTransaction('sandbox', cardAccountId, id)).timeline
  const event = 'cardaccount.transaction.updated'
  await deliver(key, makeEvent(event, { id: randomUUID(), cardAccountId, description: id, disputeStatus: 'pending' }))
  await deliver(key, makeEvent(event, { cardAccountId, id: 7, status: id, disputeStatus: { id } }))
  await applyingDone()
  expect(await desk.db.select().from(inboxEvents)).toHaveLength(2)
  expect((await readTransaction('sandbox', cardAccountId, id)).timeline).toEqual(before)
})
