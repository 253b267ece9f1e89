import { expect, test } from 'vitest'
import { accounts, accountTransactions } from '#lib/service/tables/payouts.ts'
import { amount } from '#lib/shared/money.ts'
import { listFundingAccounts, listLedger } from './funding-accounts.ts'
import { shareConsole } from './testing/open-console.ts'

const desk = shareConsole({ seeded: 1 })

test('funding accounts and their ledger are those of the service, page by page, in every filter', async () => {
  await desk.signIn('viewer')
  const { accounts: listed, freshness } = await listFundingAccounts('sandbox')
  expect(freshness.source).toBe('service')
  const truth = await desk.service.service.db.select().from(accounts)
  expect(listed.map(({ id }) => id).toSorted()).toEqual(truth.map(({ id }) => id).toSorted())
  for (const account of listed) {
    const row = truth.find(({ id }) => id === account.id)
    expect(amount(account.balance ?? '').equals(row?.balance ?? '')).toBe(true)
    expect(amount(account.available ?? '').equals(row?.available ?? '')).toBe(true)
  }

  const entries = await desk.service.service.db.select().from(accountTransactions)
  const all = async (filters: Parameters<typeof listLedger>[1]) => {
    const found: string[] = []
    let pageToken: string | undefined
    do {
      const page = await listLedger('sandbox', { ...filters, pageSize: 7, ...(pageToken ? { pageToken } : {}) })
      found.push(...page.transactions.flatMap(({ id }) => id ?? []))
      pageToken = page.nextPageToken ?? undefined
    } while (pageToken)
    return found
  }
  const ids = (rows: typeof entries) => rows.map(({ id }) => id).toSorted()
  expect((await all({})).toSorted()).toEqual(ids(entries))
  const [first] = listed
  const accountId = first?.id ?? ''
  expect((await all({ accountId })).toSorted()).toEqual(ids(entries.filter((row) => row.accountId === accountId)))
  expect((await all({ intent: 'topup', status: 'void' })).toSorted()).toEqual(
    ids(entries.filter(({ intent, status }) => intent === 'topup' && status === 'void')),
  )
  for (const { id, balance } of listed) {
    const { transactions } = await listLedger('sandbox', { accountId: id, pageSize: 20 })
    expect(transactions.find((entry) => entry.balance !== null)?.balance).toBe(balance)
  }
  const newest = entries.toSorted((one, other) => other.time.getTime() - one.time.getTime())
  const from = newest[5]?.time ?? new Date()
  expect((await all({ dateRangeFrom: from.toISOString() })).toSorted()).toEqual(
    ids(entries.filter(({ time }) => time >= from)),
  )
})

test('entries without an id, which the interface does not name, are listed', async () => {
  await desk.signIn('viewer')
  const entry = { createdAt: '2026-11-20T01:00:00Z', asset: 'USD', amount: -5, intent: 'payout', status: 'posted' }
  desk.intercept.after = (request) =>
    request.url?.includes('/accounts/transactions')
      ? Response.json({ transactions: [entry, { ...entry, amount: 7 }] })
      : null
  expect(await listLedger('sandbox', { intent: 'topup' })).toMatchObject({ transactions: [], unmatched: 2 })
  const { transactions, excluded } = await listLedger('sandbox', {})
  expect(excluded).toBe(0)
  expect(transactions).toMatchObject([
    { id: null, time: null, createdAt: '2026-11-20T01:00:00.000Z', amount: -5 },
    { id: null, amount: 7 },
  ])
})

test('an unknown account is ACCOUNT_NOT_FOUND, a wrong filter names its field and repeats nothing of its value', async () => {
  await desk.signIn('viewer')
  await expect(listLedger('sandbox', { accountId: '11111111-1111-4111-8111-111111111111' })).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_FOUND',
    status: 404,
  })
  const requested = desk.requests.get('/accounts/transactions')
  for (const [search, field] of [
    [{ accountId: 'wallet-31\0' }, 'accountId'],
    [{ intent: 'clawback'.repeat(20) }, 'intent'],
    [{ status: 'settling\n' }, 'status'],
    [{ dateRangeFrom: '2026-11-21' }, 'dateRangeFrom'],
  ] as const) {
    await expect(listLedger('sandbox', search)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringMatching(new RegExp(`^${field} must`)),
    })
    await expect(listLedger('sandbox', search)).rejects.not.toMatchObject({
      message: expect.stringContaining(Object.values(search)[0] ?? ''),
    })
  }
  await expect(listLedger('sandbox', { accountId: '4242424242424242' })).rejects.toMatchObject({
    code: 'CARD_NUMBER_REFUSED',
    message: expect.not.stringContaining('4242'),
  })
  expect(desk.requests.get('/accounts/transactions')).toBe(requested)
})

test('a code and an id that the console does not know are filtered by as they were typed', async () => {
  await desk.signIn('viewer')
  let search = new URLSearchParams()
  desk.intercept.before = (request, response) => {
    search = new URL(request.url ?? '', 'http://service.test').searchParams
    response.setHeader('content-type', 'application/json')
    response.end('{"transactions":[{"id":"E_1"},{"amount":1},7]}')
    return true
  }
  const page = await listLedger('sandbox', { accountId: 'Wallet_31', intent: 'clawback', status: 'Settling' })
  expect(Object.fromEntries(search)).toEqual({ accountId: 'Wallet_31', intent: 'clawback', status: 'Settling' })
  expect(page).toMatchObject({ excluded: 1, nextPageToken: null })
  expect(page.transactions).toMatchObject([
    { id: 'E_1', amount: null, balance: null, intent: null, asset: null },
    { id: null, amount: 1 },
  ])
})

test('what a service sends beyond the interface is passed on as it is', async () => {
  await desk.signIn('viewer')
  const entry = {
    id: 'e-1',
    intent: 'clawback',
    status: 'settling',
    amount: -0.1,
    asset: 'XAU',
    balance: null,
  }
  desk.intercept.before = (request, response) => {
    response.setHeader('content-type', 'application/json')
    const body = request.url?.includes('transactions')
      ? { transactions: [{ ...entry, tier: 3 }], prevPageToken: null, nextPageToken: null, more: true }
      : { accounts: [{ id: 'a-1', name: 'Gold', currency: 'XAU', balance: 1e12, available: -1, kind: 'vault' }] }
    response.end(JSON.stringify(body))
    return true
  }
  expect((await listLedger('sandbox', {})).transactions).toMatchObject([{ ...entry, otherFields: { tier: 3 } }])
  expect((await listFundingAccounts('sandbox')).accounts[0]).toMatchObject({
    balance: 1e12,
    otherFields: { kind: 'vault' },
  })
})
