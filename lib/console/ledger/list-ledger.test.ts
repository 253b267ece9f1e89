import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { accounts, accountTransactions } from '#lib/service/tables/payouts.ts'
import { amount, sum } from '#lib/shared/money.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { indexedLedger, ledgerProgress } from '#lib/tables/ledger.ts'
import { listFundingAccounts } from '../funding-accounts.ts'
import { shareConsole } from '../testing/open-console.ts'
import { ledgerIndex } from './index-ledger.ts'
import { type LedgerFilters, listLedger, readLedgerEntry } from './list-ledger.ts'

const desk = shareConsole({ seeded: 1 })

beforeEach(async () => {
  await desk.signIn('viewer')
  await desk.db.delete(indexedLedger)
  await desk.db.delete(ledgerProgress)
  Reflect.deleteProperty(globalThis, 'carddeskLedgerAccounts')
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
})

/** All entries of a list, page by page. */
async function readAllPages(filters: LedgerFilters = {}) {
  const found: Awaited<ReturnType<typeof listLedger>>['transactions'] = []
  let pageToken: string | undefined
  do {
    const page = await listLedger('sandbox', { ...filters, pageSize: 7, ...(pageToken ? { pageToken } : {}) })
    found.push(...page.transactions)
    pageToken = page.nextPageToken ?? undefined
  } while (pageToken)
  return found
}

/** The service responds with these funding accounts and entries, whatever a request filters by. */
function respondWith(sent: { transactions?: unknown[]; accounts?: unknown[]; refuses?: string }) {
  desk.intercept.before = (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith(sent.refuses ?? '?')) response.statusCode = 403
    const { transactions = [], accounts: listed = [] } = sent
    const body = request.url?.includes('transactions') ? { transactions, nextPageToken: null } : { accounts: listed }
    response.end(JSON.stringify(body))
    return true
  }
}

test('the ledger is that of the service in its order, page by page, in every filter, with its totals', async () => {
  const rows = await desk.service.service.db.select().from(accountTransactions)
  const inOrder = rows.toSorted(
    (one, other) => other.time.getTime() - one.time.getTime() || (one.id < other.id ? 1 : -1),
  )
  const ids = async (filters: LedgerFilters) => (await readAllPages(filters)).map(({ key }) => key)
  const idsOf = (wanted: (row: (typeof rows)[number]) => boolean) => inOrder.filter(wanted).map(({ id }) => id)
  expect(await ids({})).toEqual(idsOf(() => true))
  const funding = await desk.service.service.db.select().from(accounts)
  for (const { id } of funding) {
    expect(await ids({ accountId: id.toUpperCase() })).toEqual(idsOf(({ accountId }) => accountId === id))
  }
  expect(await ids({ intent: 'topup', status: 'void' })).toEqual(
    idsOf(({ intent, status }) => intent === 'topup' && status === 'void'),
  )
  const from = inOrder[5]?.time ?? new Date()
  expect(await ids({ dateRangeFrom: from.toISOString() })).toEqual(idsOf(({ time }) => time >= from))
  expect(await ids({ dateRangeTo: from.toISOString() })).toEqual(idsOf(({ time }) => time <= from))
  const payout = inOrder.find(({ intent }) => intent === 'payout')
  for (const q of [payout?.intentId, payout?.intentId.slice(0, 8), payout?.intentRefId.slice(-12)]) {
    expect(await ids({ q: q ?? '' })).toContain(payout?.id)
  }
  expect(await ids({ q: payout?.description.toUpperCase() ?? '' })).toContain(payout?.id)
  const large = { currency: 'USD', amountFrom: '5000', amountTo: '60000' }
  const isLarge = (text: string) => amount(text).abs().gte(5000) && amount(text).abs().lte(60_000)
  expect((await ids(large)).toSorted()).toEqual(idsOf((row) => row.asset === 'USD' && isLarge(row.amount)).toSorted())
  const sorted = await readAllPages({ currency: 'HKD', sort: 'amount', direction: 'asc' })
  expect(sorted.map((entry) => entry.amount)).toEqual(
    sorted.map((entry) => entry.amount ?? 0).toSorted((a, b) => a - b),
  )
  const { totals } = await listLedger('sandbox', { accountId: funding[0]?.id })
  const own = rows.filter(({ accountId }) => accountId === funding[0]?.id)
  expect(totals.matching).toBe(own.length)
  expect(totals.currencies).toHaveLength(1)
  for (const { status, records, amount: shown } of totals.currencies[0]?.statuses ?? []) {
    const those = own.filter((row) => row.status === status)
    expect([status, records, shown]).toEqual([status, those.length, sum(those.map((row) => row.amount)).toFixed()])
  }
})

test('what an account has posted comes to its balance, and the newest balance in the ledger is the account’s', async () => {
  for (const { id, balance } of (await listFundingAccounts('sandbox')).accounts) {
    const { transactions, totals } = await listLedger('sandbox', { accountId: id })
    expect(transactions.find((entry) => entry.balance !== null)?.balance).toBe(balance)
    const posted = totals.currencies[0]?.statuses.find(({ status }) => status === 'posted')
    expect(amount(posted?.amount ?? '').equals(balance ?? '')).toBe(true)
  }
})

test('an entry is found by its key, from whichever page', async () => {
  const last = (await readAllPages()).at(-1)
  const { entry, freshness } = await readLedgerEntry('sandbox', last?.key.toUpperCase() ?? '')
  expect([entry, freshness.source]).toEqual([last, 'index'])
  await expect(readLedgerEntry('sandbox', 'nothing')).rejects.toMatchObject({ code: 'LEDGER_ENTRY_NOT_FOUND' })
})

test('entries without an id are rows, equal ones as many as there are', async () => {
  const entry = { createdAt: '2026-11-20T01:00:00Z', asset: 'USD', amount: -5, intent: 'payout', status: 'posted' }
  respondWith({ transactions: [entry, { ...entry, amount: 7 }, entry] })
  const { transactions, totals, coverage } = await listLedger('sandbox', {})
  expect(transactions).toMatchObject([
    { id: null, time: null, createdAt: '2026-11-20T01:00:00.000Z', amount: -5 },
    { id: null, amount: 7 },
    { id: null, amount: -5 },
  ])
  expect(new Set(transactions.map(({ key }) => key)).size).toBe(3)
  expect(totals.currencies[0]?.counted).toEqual({ records: 3, amount: '-3', excluded: 0 })
  expect(coverage).toMatchObject({ isComplete: true, excluded: 0 })
})

test('a wrong filter names its field and repeats nothing of its value', async () => {
  for (const [search, field] of [
    [{ accountId: 'wallet-31\0' }, 'accountId'],
    [{ intent: 'clawback'.repeat(20) }, 'intent'],
    [{ status: 'settling\n' }, 'status'],
    [{ amountFrom: '-5' }, 'amountFrom'],
    [{ dateRangeFrom: '2026-11-21' }, 'dateRangeFrom'],
    [{ sort: 'amount' }, 'sort'],
  ] as const) {
    await expect(listLedger('sandbox', search as LedgerFilters)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringMatching(new RegExp(`^${field} (must|by)`)),
    })
  }
  await expect(listLedger('sandbox', { q: '4242424242424242' })).rejects.toMatchObject({
    code: 'CARD_NUMBER_REFUSED',
    message: expect.not.stringContaining('4242'),
  })
  // A service may number its accounts, and the check digit of one in ten numbers is that of a card.
  for (const accountId of ['11111111-1111-4111-8111-111111111111', '4242424242424242'])
    expect(await listLedger('sandbox', { accountId })).toMatchObject({ transactions: [], totals: { matching: 0 } })
})

test('a code and a currency that the console does not know still filter, and other fields are passed on', async () => {
  const entry = { id: 'E_1', intent: 'clawback', status: 'Settling', amount: -0.1, asset: 'XAU', balance: null }
  respondWith({ transactions: [{ ...entry, tier: 3 }, { amount: 1 }, 7] })
  const list = await listLedger('sandbox', { intent: 'clawback', status: 'Settling', currency: 'XAU' })
  expect(list.transactions).toMatchObject([{ ...entry, otherFields: { tier: 3 } }])
  expect(list.coverage.excluded).toBe(1)
  expect(list.choices).toEqual({ intents: ['clawback'], statuses: ['Settling'], currencies: ['XAU'] })
})

test('where a service ignores the filter by account, an entry is of the only account with its name and currency', async () => {
  const funding = { name: 'Float', currency: 'USD', balance: 1, available: 1 }
  const entry = {
    amount: 1,
    asset: 'USD',
    accountNumber: '1',
    accountLabel: 'Float',
    createdAt: '2026-11-20T01:00:00Z',
  }
  const transactions = [entry, { ...entry, asset: 'HKD' }, { ...entry, accountLabel: 'Twin' }]
  const twin = { ...funding, name: 'Twin' }
  respondWith({
    transactions,
    accounts: [
      { ...funding, id: 'F-1' },
      { ...twin, id: 'T-1' },
      { ...twin, id: 'T-2' },
    ],
  })
  const { totals } = await listLedger('sandbox', { accountId: 'F-1' })
  expect(totals.matching).toBe(1)
  expect((await desk.db.select().from(indexedLedger)).map((row) => row.accountId).toSorted()).toEqual([
    'F-1',
    null,
    null,
  ])
})

test('entries stay with their accounts while the service does not list its accounts', async () => {
  const entry = { amount: 1, asset: 'USD', accountLabel: 'Float', createdAt: '2026-11-20T01:00:00Z' }
  const account = { id: 'F-1', name: 'Float', currency: 'USD', balance: 1, available: 1 }
  const listed = { transactions: [entry], accounts: [account] }
  const accountIds = async () => {
    await ledgerIndex.readAll('sandbox')
    return (await desk.db.select().from(indexedLedger)).map(({ accountId }) => accountId)
  }
  respondWith(listed)
  expect(await accountIds()).toEqual(['F-1'])
  const later = Date.now() + minuteMs
  vi.spyOn(Date, 'now').mockReturnValue(later)
  onTestFinished(() => void vi.restoreAllMocks())
  respondWith({ ...listed, refuses: '/accounts' })
  expect(await accountIds()).toEqual(['F-1'])
})

test('of a card number only the last four digits are stored', async () => {
  const number = '4242424242424242'
  const entry = { id: 'E-1', amount: -1, toAccountNumber: number, description: `Payout to ${number}` }
  respondWith({ transactions: [{ ...entry, fromAccountNumber: '7880-0012-3401' }] })
  const [listed] = (await listLedger('sandbox', {})).transactions
  expect(listed).toMatchObject({
    toAccountNumber: '•••• 4242',
    description: 'Payout to •••• 4242',
    fromAccountNumber: '7880-0012-3401',
  })
  expect(JSON.stringify(await desk.db.select().from(indexedLedger))).not.toContain(number)
})

test('an event of a funding account has the ledger read at once, and not again after that', async () => {
  await listLedger('sandbox', {})
  desk.requests.clear()
  await listLedger('sandbox', {})
  expect(desk.requests.get('/accounts/transactions')).toBeUndefined()
  const now = new Date(Date.now() + 1)
  await desk.db.insert(inboxEvents).values({
    environment: 'sandbox',
    id: 'event-1',
    event: 'account.transaction.created',
    body: '{}',
    isKnown: true,
    receivedAt: now,
    nextAttemptAt: now,
  })
  await vi.waitFor(async () => {
    await listLedger('sandbox', {})
    expect(desk.requests.get('/accounts/transactions')).toBeGreaterThan(0)
  })
  desk.requests.clear()
  await listLedger('sandbox', {})
  expect(desk.requests.get('/accounts/transactions')).toBeUndefined()
})

test('the newest page of a long ledger is read when somebody looks', async () => {
  await ledgerIndex.readAll('sandbox')
  await desk.db.update(ledgerProgress).set({ records: 501 })
  await desk.db.delete(indexedLedger)
  await listLedger('sandbox', {})
  expect((await desk.db.select().from(indexedLedger)).length).toBeGreaterThan(0)
})
