import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { transactionIntents } from '#lib/contract/terms.ts'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { cardAccountTransactions as transactions } from '#lib/service/tables/transactions.ts'
import { cardIn } from '../testing/cards.ts'
import { openConsole, shareConsole, type TestConsole } from '../testing/open-console.ts'
import { sumBalance } from './balance-explanation-sums.ts'
import { explainBalance, mostEntries } from './balance-explanation.ts'

const desk = shareConsole({ seeded: 1 })

type Entry = Pick<CardAccountTransaction, 'status' | 'intent' | 'entryType' | 'disputeStatus'> & { cents: bigint }

const entry: fc.Arbitrary<Entry> = fc.record({
  status: fc.constantFrom('pending', 'posted', 'posted', 'posted', 'declined', 'void'),
  intent: fc.constantFrom(...transactionIntents),
  entryType: fc.constantFrom('DEBIT', 'CREDIT'),
  disputeStatus: fc.option(fc.constantFrom(...disputeStatuses), { freq: 4 }),
  cents: fc.bigInt(0n, 10n ** 11n),
})

/** Cents as the number on the wire. */
function wire(cents: bigint): number {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return Number(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

function cents(text: string | null): bigint {
  const [whole = '0', fraction = ''] = (text ?? 'none').replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(2, '0'))
  return text?.startsWith('-') ? -value : value
}

function transactionOf({ cents: size, ...rest }: Entry, index: number): CardAccountTransaction {
  return {
    id: String(index),
    xid: null,
    xmetadata: null,
    refId: `TXN${index}`,
    cardAccountId: 'a',
    cardId: null,
    cardLast4: null,
    cardEmbossedName: null,
    createdAt: '2026-11-20T00:00:00.000Z',
    postedAt: null,
    authorization: null,
    merchant: null,
    currency: 'HKD',
    amount: wire(size),
    description: '',
    grossAmount: wire(size),
    ...rest,
  }
}

/** What the entries do, in whole cents, by the interface's two sentences: DEBIT adds, CREDIT subtracts. */
function effect({ status, entryType, cents: size }: Entry): bigint {
  if (status !== 'pending' && status !== 'posted') return 0n
  return entryType === 'DEBIT' ? size : -size
}

const total = (entries: readonly Entry[], of: (one: Entry) => bigint) => entries.reduce((sum, one) => sum + of(one), 0n)

function accountOf(entries: readonly Entry[], before: bigint, limit: bigint | null): CardAccount {
  const balance = before + total(entries, effect)
  const disputed = total(entries, (one) =>
    ['requested', 'pending'].includes(one.disputeStatus ?? '') ? one.cents : 0n,
  )
  return {
    accountType: limit === null ? 'prepaid' : 'credit',
    currency: 'HKD',
    limit: wire(limit ?? 0n),
    balance: wire(balance),
    outstanding: wire(balance < 0n ? -balance : 0n),
    available: wire(balance + (limit ?? 0n)),
    disputeAmount: wire(disputed),
  } as CardAccount
}

const history = fc.array(entry, { maxLength: 40 })
const anyCents = fc.bigInt(-(10n ** 11n), 10n ** 11n)
const anyLimit = fc.option(fc.bigInt(0n, 10n ** 11n))

describe('the sums of a random history', () => {
  test('add up to the service’s figures to the cent, line by line, and explain all of the balance', () => {
    fc.assert(
      fc.property(history, anyCents, anyLimit, (entries, before, limit) => {
        const sums = sumBalance(accountOf(entries, before, limit), entries.map(transactionOf))
        const of = (status: string) =>
          total(
            entries.filter((one) => one.status === status),
            effect,
          )
        expect(cents(sums.posted)).toBe(of('posted'))
        expect(cents(sums.pending)).toBe(of('pending'))
        expect(cents(sums.carriedForward)).toBe(before)
        expect(sums.lines.reduce((sum, line) => sum + cents(line.amount), 0n)).toBe(of('posted') + of('pending'))
        for (const line of sums.lines) {
          const own = entries.filter(
            ({ status, intent, entryType }) =>
              status === line.status && intent === line.intent && entryType === line.entryType,
          )
          expect(line.entries).toBe(own.length)
          expect(cents(line.amount)).toBe(total(own, effect))
        }
        expect(sums.lines.reduce((count, line) => count + line.entries, 0)).toBe(
          entries.filter(({ status }) => status === 'posted' || status === 'pending').length,
        )
        expect(sums.uncounted.reduce((count, one) => count + one.entries, 0)).toBe(
          entries.filter(({ status }) => status === 'declined' || status === 'void').length,
        )
        for (const one of [sums.available, sums.outstanding, sums.disputed]) expect(one.difference).toBe('0')
      }),
      { numRuns: 300 },
    )
  })

  test('never hide what the service’s figures are off by', () => {
    const figure = fc.constantFrom('available', 'outstanding', 'disputeAmount')
    const off = fc.bigInt(-(10n ** 9n), 10n ** 9n).filter((value) => value !== 0n)
    fc.assert(
      fc.property(history, anyCents, anyLimit, figure, off, (entries, before, limit, name, by) => {
        const account = accountOf(entries, before, limit)
        account[name] = wire(BigInt(Math.round((account[name] ?? Number.NaN) * 100)) + by)
        const sums = sumBalance(account, entries.map(transactionOf))
        const check = { available: sums.available, outstanding: sums.outstanding, disputeAmount: sums.disputed }[name]
        expect(cents(check.difference)).toBe(by)
      }),
    )
  })
})

test('ten cents and twenty cents are thirty cents', () => {
  const entries = [10n, 20n].map((size) => ({ ...anEntry, cents: size }))
  expect(sumBalance(accountOf(entries, 0n, null), entries.map(transactionOf))).toMatchObject({
    posted: '0.3',
    carriedForward: '0',
    available: { stated: '0.3', expected: '0.3', difference: '0' },
  })
})

const anEntry: Entry = { status: 'posted', intent: 'topup', entryType: 'DEBIT', disputeStatus: null, cents: 100n }

test('unknown values are marked: statuses, directions, currencies, an account type, figures that are none', () => {
  const odd = [
    { ...transactionOf(anEntry, 0), status: 'settling' },
    { ...transactionOf(anEntry, 1), entryType: 'SIDEWAYS' as never },
    { ...transactionOf(anEntry, 2), currency: 'USD' },
    { ...transactionOf(anEntry, 3), amount: null },
    { ...transactionOf(anEntry, 4), intent: 'loyalty' },
  ]
  const account = { ...accountOf([anEntry], 0n, null), accountType: 'charge', disputeAmount: null }
  expect(sumBalance(account, odd)).toMatchObject({
    lines: [{ intent: 'loyalty', amount: '1' }],
    unknown: [{ status: 'settling', entries: 1, amount: '1', excluded: 0 }],
    unreadable: 3,
    excluded: 4,
    carriedForward: null,
    available: { stated: '1', expected: null, difference: null },
    disputed: { stated: null, expected: '0', difference: null },
  })
})

test('missing fields are not zeros: nothing is counted by default, and no figure claims to add up', () => {
  const account = { ...accountOf([anEntry], 0n, null), balance: null, available: null }
  const missing = [
    { ...transactionOf(anEntry, 0), status: null },
    { ...transactionOf(anEntry, 1), entryType: null },
    { ...transactionOf(anEntry, 2), currency: null, status: 'pending' },
    { ...transactionOf(anEntry, 3), intent: null },
    { ...transactionOf(anEntry, 4), status: 'declined', amount: null },
  ]
  expect(sumBalance(account, missing)).toMatchObject({
    lines: [{ intent: null, entries: 1, amount: '1' }],
    uncounted: [{ status: 'declined', entries: 1, amount: null, excluded: 1 }],
    unknown: [{ status: null, entries: 1, amount: '1', excluded: 0 }],
    unreadable: 2,
    excluded: 3,
    posted: '1',
    pending: null,
    pendingTaken: null,
    carriedForward: null,
    available: { stated: null, expected: null, difference: null },
    outstanding: { expected: null, difference: null },
  })
})

test('an account without a currency adds up nothing, whatever currency its entries have', () => {
  const entries = [transactionOf(anEntry, 0), { ...transactionOf(anEntry, 1), currency: null }]
  expect(sumBalance({ ...accountOf([anEntry], 0n, null), currency: null }, entries)).toMatchObject({
    lines: [],
    unreadable: 2,
    carriedForward: null,
  })
})

test('the disputed amount is compared only where it is known which entries are in dispute', () => {
  const account = accountOf([{ ...anEntry, disputeStatus: 'pending' }], 0n, null)
  const disputed = { ...transactionOf(anEntry, 0), disputeStatus: 'pending' }
  const expected = (more: Partial<CardAccountTransaction>, coverage?: Parameters<typeof sumBalance>[2]) =>
    sumBalance(account, [disputed, { ...transactionOf(anEntry, 1), ...more }], coverage).disputed.expected
  expect(expected({})).toBe('1')
  expect(expected({ disputeStatus: 'escalated' })).toBeNull()
  expect(expected({ disputeStatus: 'requested', amount: null })).toBeNull()
  expect(expected({}, { excluded: 1, isWhole: true })).toBeNull()
  expect(expected({}, { excluded: 0, isWhole: false })).toBeNull()
})

const received = { accountType: 'prepaid', currency: 'USD', balance: '400.40000000000003', available: '400.4' }

/** Responds with an account and its entries in the place of the service; the token of each page is the one that `tokens` gives. */
function respondWithEntries(
  { intercept }: TestConsole,
  entries: readonly unknown[],
  tokens: readonly (string | null)[] = [],
) {
  let page = 0
  intercept.before = (request, response) => {
    const url = new URL(request.url ?? '', 'http://service.test')
    const id = url.searchParams.get('cardAccountId')
    const account = { id, ...received }
    const isEntries = url.pathname.endsWith('/transactions')
    const body = isEntries
      ? { transactions: entries, nextPageToken: tokens[page++] ?? '' }
      : { cardaccounts: [account] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
}

test('an explanation with missing fields says that it is incomplete', async () => {
  await desk.signIn('viewer')
  const id = randomUUID()
  const entry = { status: 'posted', entryType: 'DEBIT', intent: 'topup', currency: 'USD', amount: '400.40' }
  respondWithEntries(desk, [{ ...entry, id: 'E-1' }])
  expect(await explainBalance('sandbox', id)).toMatchObject({
    isComplete: true,
    excluded: 0,
    earliestAt: null,
    carriedForward: '0',
    available: { difference: '0' },
  })
  respondWithEntries(desk, [{ ...entry, id: 'E-1' }, { ...entry }, { ...entry, id: 'E-1', amount: 'n/a' }])
  expect(await explainBalance('sandbox', id)).toMatchObject({
    isComplete: false,
    entries: 1,
    excluded: 2,
    carriedForward: null,
  })
  respondWithEntries(desk, [{ ...entry, id: 'E-1' }], ['again', 'again', 'again', 'again'])
  expect(await explainBalance('sandbox', id)).toMatchObject({ isComplete: false, isWhole: false, entries: 1 })
})

test('every account of the service is explained whole, also after charges, a fee, a dispute and a repayment', async () => {
  const desk = await openConsole({ seeded: 12 })
  await desk.signIn('viewer')
  const { target } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  const charged = await desk.service.call('simulateAuthorization', {
    body: { cardAccountId, cardId, amount: 12.34, currency: 'EUR' },
  })
  const transactionId = charged.json.cardTransactionId as string
  await desk.service.control('POST', '/disputes', { transactionId, status: 'requested' })
  await desk.service.control('POST', '/fees', { cardAccountId, intent: 'late-payment-fee', amount: 120.1 })
  const before = await explainBalance('sandbox', cardAccountId)
  expect(before.pendingEntries.map(({ id }) => id)).toContain(transactionId)
  expect(before.disputedEntries.map(({ id }) => id)).toContain(transactionId)
  await desk.service.call('simulateRepay', { body: { cardAccountIds: [cardAccountId] } })
  for (const { id } of await desk.service.service.db.select({ id: cardAccounts.id }).from(cardAccounts)) {
    const explained = await explainBalance('sandbox', id)
    expect(explained).toMatchObject({ isWhole: true, isSteady: true, carriedForward: '0', unreadable: 0, unknown: [] })
    for (const check of [explained.available, explained.outstanding, explained.disputed]) {
      expect(check.difference).toBe('0')
    }
  }
})

test('an account with more entries than are read is explained from the newest, with a note', async () => {
  await desk.signIn('viewer')
  const [account] = await desk.service.service.db.select().from(cardAccounts).limit(1)
  const [one] = await desk.service.service.db
    .select()
    .from(transactions)
    .where(eq(transactions.status, 'posted'))
    .limit(1)
  if (!account || !one) throw new Error('the seed has an account with a posted entry')
  const old = Array.from({ length: mostEntries }, () => ({
    ...one,
    id: randomUUID(),
    createdAt: new Date('2020-01-01'),
  }))
  await desk.service.service.db.insert(transactions).values(old)
  desk.requests.clear()
  const explained = await explainBalance('sandbox', account.id)
  expect(explained).toMatchObject({ isWhole: false, entries: mostEntries })
  expect(explained.carriedForward).not.toBe('0')
  expect(desk.requests.get('/cardaccounts/transactions')).toBe(mostEntries / 100)
})

test('an account that changes while it is read is read again, and finally reported as changing', async () => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('viewer')
  const { target } = await cardIn(desk, 'active')
  let changes = 1
  desk.intercept.before = async (request) => {
    if (changes > 0 && request.url?.includes('/cardaccounts/transactions')) {
      changes -= 1
      const { cardAccountId } = target
      await desk.service.control('POST', '/fees', { cardAccountId, intent: 'late-payment-fee', amount: 1 })
    }
    return false
  }
  expect(await explainBalance('sandbox', target.cardAccountId)).toMatchObject({ isSteady: true, carriedForward: '0' })
  changes = 100
  expect(await explainBalance('sandbox', target.cardAccountId)).toMatchObject({ isSteady: false })
})

test('an unknown account is not found; during an outage the read fails with a message', async () => {
  await desk.signIn('viewer')
  await expect(explainBalance('sandbox', randomUUID())).rejects.toMatchObject({ code: 'CARD_ACCOUNT_NOT_FOUND' })
  await expect(explainBalance('sandbox', 'x')).rejects.toMatchObject({ code: 'CARD_ACCOUNT_NOT_FOUND' })
  await desk.stopService()
  await expect(explainBalance('sandbox', randomUUID())).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
})
