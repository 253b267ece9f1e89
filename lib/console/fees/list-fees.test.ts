import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { FeeEntry } from '#lib/contract/records.ts'
import { cardAccountTransactions } from '#lib/service/tables/transactions.ts'
import { dayMs } from '#lib/shared/time.ts'
import { accountsIn, balanceIn, chargeFees } from '../testing/fees.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import type { FeeFilters } from './fee-filters.ts'
import { feeCardAccountId } from './fee-record.ts'
import { feeIndex } from './index-fees.ts'
import { listFees, readFee } from './list-fees.ts'

async function allOf(search: FeeFilters): Promise<FeeEntry[]> {
  const fees: FeeEntry[] = []
  for (let pageToken: string | undefined; ;) {
    const page = await listFees('sandbox', { ...search, pageSize: 7, pageToken })
    fees.push(...page.fees.map(({ fee }) => fee))
    if (!page.nextPageToken) return fees
    pageToken = page.nextPageToken
  }
}

/** Responds with lists of fees in the place of the service. */
function respondWithFees({ intercept }: TestConsole, fees: unknown[]): void {
  intercept.before = (request, response) => {
    if (!request.url?.includes('/fees')) return false
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ fees, prevPageToken: null, nextPageToken: null }))
    return true
  }
}

test('a service that sends all fees at once, whatever page size is asked for, is shown in pages', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const ids = Array.from({ length: 120 }, (_, index) => `fee-${999 - index}`)
  const createdAt = '2026-11-02T00:00:00Z'
  const rest = { intent: 'annual-fee', amount: 5, currency: 'HKD', status: 'posted', transaction: null, createdAt }
  respondWithFees(
    desk,
    ids.map((id) => ({ id, ...rest })),
  )
  const first = await listFees('sandbox', {})
  expect(first.fees).toHaveLength(50)
  const second = await listFees('sandbox', { pageToken: first.nextPageToken ?? '' })
  const third = await listFees('sandbox', { pageToken: second.nextPageToken ?? '' })
  expect([first, second, third].flatMap(({ fees }) => fees.map(({ fee }) => fee.id))).toEqual(ids)
  expect(third.nextPageToken).toBeNull()
  const back = await listFees('sandbox', { pageToken: second.prevPageToken ?? '' })
  expect(back.fees.map(({ fee }) => fee.id)).toEqual(ids.slice(0, 50))
})

test('each filter of the interface keeps exactly the fees that it names, on every page', async () => {
  const desk = await openConsole()
  await desk.signIn('viewer')
  const all = await allOf({})
  const accountsOf = (fee: FeeEntry) => feeCardAccountId(fee) ?? ''
  const ids = [...new Set(all.map(accountsOf))]
  const [first, second] = ids
  const middle = all[Math.floor(all.length / 2)]
  if (!first || !second || !middle) throw new Error('the seed has fees of several accounts')
  await desk.service.service.db
    .update(cardAccountTransactions)
    .set({ xid: 'fee-of-october' })
    .where(eq(cardAccountTransactions.id, middle.transaction?.id ?? ''))
  await feeIndex.readAll('sandbox')
  const [at, intent] = [middle.createdAt ?? '', middle.intent ?? '']
  const until = new Date(Date.parse(at) + 30 * dayMs).toISOString()
  const timeOf = ({ createdAt }: FeeEntry) => createdAt ?? ''
  const cases: [FeeFilters, (fee: FeeEntry) => boolean][] = [
    [{ feeId: middle.id.toUpperCase() }, ({ id }) => id === middle.id],
    [{ intent }, (fee) => fee.intent === intent],
    [{ accountId: first }, (fee) => accountsOf(fee) === first],
    [{ accountId: [first, second] }, (fee) => [first, second].includes(accountsOf(fee))],
    [{ dateRangeFrom: at }, (fee) => timeOf(fee) >= at],
    [{ dateRangeTo: at }, (fee) => timeOf(fee) <= at],
    [
      { dateRangeFrom: at, dateRangeTo: until, intent },
      (fee) => timeOf(fee) >= at && timeOf(fee) <= until && fee.intent === intent,
    ],
    [{ xid: 'fee-of-october' }, ({ id }) => id === middle.id],
    [{ xid: 'nobody has this' }, () => false],
    [{ currency: middle.currency ?? '' }, ({ currency }) => currency === middle.currency],
    [{ status: 'void' }, ({ status }) => status === 'void'],
    [{ status: ['posted', 'pending'], intent }, (fee) => fee.status !== 'void' && fee.intent === intent],
    [{ q: middle.id.slice(0, 13).toUpperCase() }, ({ id }) => id.startsWith(middle.id.slice(0, 13))],
    [{ q: `fee-of-october ${intent.slice(0, 3)}` }, ({ id }) => id === middle.id],
    [{ q: 'nobody has this' }, () => false],
  ]
  for (const [search, keeps] of cases) {
    const expected = all.filter(keeps).map(({ id }) => id)
    expect(
      (await allOf(search)).map(({ id }) => id),
      JSON.stringify(search),
    ).toEqual(expected)
    expect((await listFees('sandbox', search)).totals.matching, JSON.stringify(search)).toBe(expected.length)
  }
})

test('invalid input is refused before a request is sent, field by field', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const wrong = {
    feeId: 'x'.repeat(201),
    accountId: ['y\0'],
    dateRangeFrom: '2026-11-21',
    pageSize: '0',
    intent: 'a'.repeat(101),
  }
  await expect(listFees('sandbox', wrong)).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    message: expect.stringMatching(
      /feeId must be.*intent must be.*dateRangeFrom must be.*accountId\.0 must be.*pageSize/,
    ),
  })
  const yearZero = { dateRangeFrom: '0001-01-01T00:00:00+08:00' }
  await expect(listFees('sandbox', yearZero)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  const backwards = { dateRangeFrom: '2026-11-21T00:00:00Z', dateRangeTo: '2026-11-20T00:00:00Z' }
  await expect(listFees('sandbox', backwards)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  const number = '4242 4242 4242 4242'
  await expect(listFees('sandbox', { xid: number })).rejects.toMatchObject({ code: 'CARD_NUMBER_REFUSED' })
  await expect(listFees('sandbox', { intent: number })).rejects.toMatchObject({ code: 'CARD_NUMBER_REFUSED' })
  expect(desk.requests.get('/fees') ?? 0).toBe(0)
})

test('fees have the names of their accounts, on a console that has read nothing yet', async () => {
  const desk = await openConsole()
  await desk.signIn('viewer')
  const names = new Map((await accountsIn(desk)).map(({ id, name }) => [id, name]))
  const { fees } = await listFees('sandbox', { pageSize: 100 })
  expect(fees.length).toBeGreaterThan(0)
  for (const { account, fee, change } of fees) {
    if (account?.kind !== 'card-account') throw new Error('the seed charges card accounts')
    expect(account.name).toBe(names.get(account.id))
    expect(change).toBe(`-${fee.amount}`)
  }
})

test('a fee of a funding account has its label; unknown values are shown as sent, without a crash', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const ledger = { amount: -3.5, accountLabel: 'Payouts USD', accountNumber: '0042', asset: 'USD' }
  const base = { amount: 3.5, currency: 'USD', intentId: 'i', createdAt: '2026-11-20T00:00:00.000Z' }
  respondWithFees(desk, [
    { ...base, id: 'fee-1', status: 'on-hold', intent: 'moon-tax', transaction: ledger, later: { field: 1 } },
    { ...base, id: 'fee-2', status: 'posted', intent: 'x', transaction: null, amount: 'much' },
  ])
  const { fees } = await listFees('sandbox', { direction: 'asc' })
  expect(fees).toEqual([
    {
      fee: expect.objectContaining({ status: 'on-hold', intent: 'moon-tax', otherFields: { later: { field: 1 } } }),
      account: { kind: 'funding-account', label: 'Payouts USD', number: '0042' },
      change: '-3.5',
    },
    { fee: expect.objectContaining({ id: 'fee-2' }), account: null, change: null },
  ])
  const {
    totals: { currencies },
    choices: { intents },
  } = await listFees('sandbox', {})
  expect(intents).toEqual(['moon-tax', 'x'])
  expect(currencies).toMatchObject([
    { currency: 'USD', excluded: 1, counted: { records: 1, amount: null, excluded: 1 } },
  ])
  expect(currencies[0]?.statuses).toContainEqual({ status: 'on-hold', records: 1, amount: '-3.5', excluded: 0 })
})

test('a fee has the name of its account, in whatever case its id is written', async () => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('viewer')
  const [account] = await accountsIn(desk)
  const cardAccountId = account?.id.toUpperCase() ?? ''
  respondWithFees(desk, [{ id: 'fee-1', transaction: { cardAccountId, entryType: 'CREDIT' } }])
  const { fees } = await listFees('sandbox', {})
  expect(fees[0]?.account).toMatchObject({ kind: 'card-account', id: cardAccountId, name: account?.name })
})

test('fees without direction, currency or fields are listed, excluded from every sum and counted', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const base = { status: 'posted', intent: 'annual', currency: 'USD', amount: '1.50' }
  const onAccount = (entryType: unknown) => ({ cardAccountId: 'ACCOUNT-1', entryType })
  respondWithFees(desk, [
    { ...base, id: 'fee-1', transaction: onAccount('CREDIT') },
    { ...base, id: 'fee-2', transaction: onAccount('SIDEWAYS') },
    { ...base, id: 'fee-3', transaction: onAccount(null) },
    { ...base, id: 'fee-4', currency: null, transaction: onAccount('CREDIT') },
    { id: 'fee-5' },
    { ...base },
    null,
  ])
  const page = await listFees('sandbox', { direction: 'asc' })
  expect(page.fees.map(({ fee, change }) => [fee.id, change])).toEqual([
    ['fee-1', '-1.5'],
    ['fee-2', null],
    ['fee-3', null],
    ['fee-4', '-1.5'],
    ['fee-5', null],
  ])
  expect(page.fees[0]?.account).toEqual({ kind: 'card-account', id: 'ACCOUNT-1', name: null, xid: null })
  const { coverage, totals, choices } = page
  expect([coverage.excluded, totals.matching, choices.intents]).toEqual([2, 5, ['annual']])
  const { currencies } = totals
  expect(currencies).toMatchObject([
    { currency: 'USD', excluded: 2, counted: { records: 3, amount: '-1.5', excluded: 2 } },
    { currency: null, excluded: 2, counted: { records: 1, amount: null, excluded: 1 } },
  ])
  expect(currencies[1]?.statuses).toContainEqual({ status: null, records: 1, amount: null, excluded: 1 })
})

test('a list of fees under another key is refused by name, and a repeated page token leaves the list incomplete', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  let body: unknown = { items: [] }
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/fees')) return false
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  await expect(feeIndex.readAll('sandbox')).rejects.toMatchObject({
    message: expect.stringMatching(/GET \/fees.*"items".*"fees"/),
  })
  const fee = { id: 'fee-1', status: 'posted', amount: 1, currency: 'USD', transaction: { entryType: 'CREDIT' } }
  body = { fees: [fee], nextPageToken: 'same' }
  desk.requests.clear()
  await expect(feeIndex.readAll('sandbox')).rejects.toThrow('repeats a page')
  expect(await listFees('sandbox', {})).toMatchObject({ totals: { matching: 1 }, coverage: { isComplete: false } })
})

test('a fee is found by an id of any form, as it was sent, in another case', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const requested: (string | null)[] = []
  desk.intercept.before = (request, response) => {
    const url = new URL(request.url ?? '', 'http://service.test')
    if (!url.pathname.endsWith('/fees')) return false
    requested.push(url.searchParams.get('feeId'))
    const fees = [{ id: 'FEE_0aZ', status: null, amount: '400.40000000000003', currency: 'USD', transaction: {} }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ fees }))
    return true
  }
  const { fee, account, change } = await readFee('sandbox', 'fee_0AZ')
  expect(requested).toEqual(['fee_0AZ'])
  expect(fee).toMatchObject({ id: 'FEE_0aZ', status: null, amount: 400.4 })
  expect({ account, change }).toEqual({ account: null, change: null })
})

test('one fee comes with its account’s balance as the service has it now; an unknown one is not found', async () => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('viewer')
  const [account] = await accountsIn(desk)
  const [fee] = await chargeFees(desk, account?.id ?? '', [12.34])
  const detail = await readFee('sandbox', fee?.id.toUpperCase() ?? '')
  expect(detail).toMatchObject({
    fee: { id: fee?.id, status: 'posted' },
    account: { kind: 'card-account', id: account?.id, name: account?.name, xid: account?.xid },
    change: '-12.34',
    balance: { currency: account?.currency, balance: String(await balanceIn(desk, account?.id ?? '')) },
  })
  for (const id of ['11111111-1111-4111-8111-111111111111', 'no uuid'])
    await expect(readFee('sandbox', id)).rejects.toMatchObject({ code: 'FEE_NOT_FOUND', status: 404 })
})
