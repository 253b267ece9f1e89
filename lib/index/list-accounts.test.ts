import { randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  listCardAccounts,
  listMetadataKeys,
  readAggregateBalances,
  readCardAccount,
} from '#lib/console/card-accounts/list.ts'
import { readOverview } from '#lib/console/overview.ts'
import { captureLog } from '#lib/console/testing/capture-log.ts'
import { openConsole, shareConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { logFailure } from '#lib/shared/log.ts'
import { amount, sum } from '#lib/shared/money.ts'
import { indexedAccounts, indexedCards, accountProgress } from '#lib/tables/card-accounts.ts'
import { rateSamples } from '#lib/tables/rates.ts'
import type { CardAccountFilters } from './account-filter.ts'
import { accountIndex } from './accounts-sync.ts'
import { readCards, readSomeCards } from './cards-sync.ts'
import { readSumsOfGroups } from './list-accounts.ts'
import { readingsDone } from './single-flight.ts'

/** A test that changes what the service or the index has opens one of its own. */
const desk = shareConsole({ seeded: 60 })

/** All cards are read, without the pauses that the console itself makes between accounts. */
async function readWhole(): Promise<void> {
  const { rows } = await listCardAccounts('sandbox', { pageSize: 100 })
  await readingsDone()
  for (const { account } of rows) await readCards('sandbox', account.id)
  // On a machine that is busy, counts over everything are stored for a while.
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
}

/** Lets the index be read again at the next look. */
async function age(desk: TestConsole): Promise<void> {
  await desk.db.update(accountProgress).set({ asOf: sql`as_of - interval '1 minute'` })
}

async function allPages(filters: CardAccountFilters, between: () => Promise<void> = async () => undefined) {
  const ids: string[] = []
  let page = await listCardAccounts('sandbox', filters)
  for (;;) {
    expect(page.rows.length === 0 ? 0 : page.last - page.first + 1).toBe(page.rows.length)
    if (page.rows.length > 0) expect(page.first).toBe(ids.length + 1)
    ids.push(...page.rows.map(({ account }) => account.id))
    if (!page.nextPageToken) return { ids, last: page }
    await between()
    page = await listCardAccounts('sandbox', { ...filters, pageToken: page.nextPageToken })
  }
}

test('the list has every account of the service, its figures, and the number of its cards', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const list = await listCardAccounts('sandbox', { pageSize: 100 })
  const truth = await desk.service.service.db.select().from(cardAccounts)
  expect(list.matching).toBe(truth.length)
  expect(list.coverage).toMatchObject({ accounts: truth.length, isComplete: true, accountsWithCards: truth.length })
  expect(list.rows.map(({ account }) => account.id).toSorted()).toEqual(truth.map(({ id }) => id).toSorted())
  for (const row of truth) {
    const found = list.rows.find(({ account }) => account.id === row.id)
    expect(found?.account).toMatchObject({
      name: row.name,
      balance: Number(row.balance),
      xid: row.xid,
      currency: row.currency,
    })
    const own = await desk.service.service.db.select().from(cards).where(eq(cards.cardAccountId, row.id))
    expect(found?.cards).toBe(own.length)
  }
  for (const { currency, balance, accounts } of list.totals) {
    const own = truth.filter((row) => row.currency === currency)
    expect(accounts).toBe(own.length)
    expect(balance).toBe(sum(own.map((row) => row.balance)).toFixed())
  }
})

test('a change at the service is in the list a moment later, an account that is gone is not', async () => {
  const desk = await openConsole({ seeded: 12 })
  await desk.signIn('viewer')
  const { rows } = await listCardAccounts('sandbox', {})
  const [one, other] = rows.map(({ account }) => account.id)
  const service = desk.service.service.db
  await service
    .update(cardAccounts)
    .set({ name: 'Renamed Meanwhile' })
    .where(eq(cardAccounts.id, one ?? ''))
  await inTransaction(service, async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.delete(cardAccounts).where(eq(cardAccounts.id, other ?? ''))
  })
  await age(desk)
  const after = await listCardAccounts('sandbox', {})
  expect(after.rows.find(({ account }) => account.id === one)?.account.name).toBe('Renamed Meanwhile')
  expect(after.rows.some(({ account }) => account.id === other)).toBe(false)
  expect(
    await desk.db
      .select()
      .from(indexedCards)
      .where(eq(indexedCards.cardAccountId, other ?? '')),
  ).toEqual([])
})

test('each sort, in both directions and in pages of any size, shows every account once, in order, and goes back the same way', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const valueOf: Record<
    string,
    (row: Awaited<ReturnType<typeof listCardAccounts>>['rows'][number]) => number | string
  > = {
    createdAt: ({ account }) => Date.parse(account.createdAt ?? ''),
    name: ({ account }) => account.name?.toLowerCase() ?? '',
    balance: ({ account }) => account.balance ?? Number.NaN,
    outstanding: ({ account }) => account.outstanding ?? Number.NaN,
    available: ({ account }) => account.available ?? Number.NaN,
    disputeAmount: ({ account }) => account.disputeAmount ?? Number.NaN,
    cards: ({ cards }) => cards ?? -1,
  }
  for (const sort of Object.keys(valueOf) as NonNullable<CardAccountFilters['sort']>[]) {
    const isAmount = ['balance', 'outstanding', 'available', 'disputeAmount'].includes(sort)
    const cases = [
      { direction: 'asc', filter: isAmount ? { currency: 'HKD' } : {} },
      { direction: 'desc', filter: isAmount ? { currency: 'HKD' } : {} },
      // Names with a text are read by another way than all names.
      ...(sort === 'name' ? [{ direction: 'desc', filter: { q: 'a' } } as const] : []),
    ] as const
    for (const { direction, filter } of cases) {
      const search: CardAccountFilters = { sort, direction, ...filter }
      const { ids, last } = await allPages({ ...search, pageSize: 10 })
      const whole = await listCardAccounts('sandbox', { ...search, pageSize: 100 })
      expect(new Set(ids).size).toBe(Object.keys(filter).length > 0 ? whole.matching : 60)
      expect(whole.rows.map(({ account }) => account.id)).toEqual(ids)
      const values = whole.rows.map((row) => valueOf[sort]?.(row) ?? 0)
      const sorted = values.toSorted((one, two) => (one < two ? -1 : one > two ? 1 : 0))
      expect(values).toEqual(direction === 'asc' ? sorted : sorted.toReversed())

      let page = last
      const back = page.rows.map(({ account }) => account.id)
      while (page.prevPageToken) {
        page = await listCardAccounts('sandbox', { ...search, pageSize: 10, pageToken: page.prevPageToken })
        back.unshift(...page.rows.map(({ account }) => account.id))
      }
      expect(back).toEqual(ids)
      expect(page.first).toBe(1)
    }
  }
})

test('amounts of several currencies are sorted by their value in the reporting currency, and paged in that order', async () => {
  const desk = await openConsole({ seeded: 25 })
  await desk.signIn('viewer')
  await listCardAccounts('sandbox', {})
  await desk.db.delete(rateSamples)
  const rates = { HKD: '8', PHP: '50' }
  const at = new Date()
  await desk.db
    .insert(rateSamples)
    .values({ environment: 'sandbox', baseCurrency: 'USD', at, rates, keptUntil: new Date(at.getTime() + 60_000) })
  const { ids } = await allPages({ sort: 'outstanding', direction: 'desc', pageSize: 4 })
  const { rows } = await listCardAccounts('sandbox', { pageSize: 100 })
  const unitsOf = (currency: string | null) => Number({ ...rates, USD: '1' }[currency ?? ''] ?? Number.NaN)
  const valueOf = ({ account }: (typeof rows)[number]) => Number(account.outstanding) / unitsOf(account.currency)
  const valued = rows.filter((row) => !Number.isNaN(valueOf(row)))
  expect(new Set(valued.map(({ account }) => account.currency)).size).toBeGreaterThan(1)
  const found = ids.flatMap((id) => valued.find(({ account }) => account.id === id) ?? []).map(valueOf)
  expect(found).toEqual(found.toSorted((one, other) => other - one))
  expect(new Set(ids).size).toBe(rows.length)
  const order = { sort: 'outstanding', direction: 'desc', pageSize: 4 } as const
  const readOtherRates = async () => {
    const other = { baseCurrency: 'USD', at: new Date(), rates: { HKD: '0.01', PHP: '9000' } }
    await desk.db
      .insert(rateSamples)
      .values({ environment: 'sandbox', ...other, keptUntil: new Date(at.getTime() + 60_000) })
  }
  expect((await allPages(order, readOtherRates)).ids).toEqual(ids)
  expect((await allPages(order)).ids).not.toEqual(ids)
})

test('a group of one key stays a filter while another key groups: list, totals, tiles and file agree', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const { rows } = await listCardAccounts('sandbox', { pageSize: 100 })
  const metadataOf = ({ account }: (typeof rows)[number]) => (account.xmetadata ?? {}) as Record<string, unknown>
  const inKowloon = rows.filter((row) => metadataOf(row).region === 'Kowloon')
  const search = { groupKey: 'department', within: 'region=Kowloon' }
  const list = await listCardAccounts('sandbox', { ...search, pageSize: 100 })
  expect(list.rows.map(({ account }) => account.id).toSorted()).toEqual(
    inKowloon.map(({ account }) => account.id).toSorted(),
  )
  const tiles = await readAggregateBalances('sandbox', search)
  expect(tiles).toMatchObject({ groupKey: 'department', isFiltered: true })
  expect(new Set(tiles.balances.map(({ group }) => group))).toEqual(
    new Set(inKowloon.map((row) => metadataOf(row).department ?? '')),
  )
  for (const figure of ['balance', 'outstanding', 'available'] as const) {
    const totals = list.totals.map((total) => [total.currency, total[figure]])
    const sums = list.totals.map(({ currency }) => [
      currency,
      sum(
        tiles.balances.filter((tile) => tile.currency === currency).map((tile) => String(tile[figure] ?? '0')),
      ).toFixed(),
    ])
    expect(sums).toEqual(totals)
  }
  const whole = await readAggregateBalances('sandbox', { groupKey: 'department' })
  expect(whole.isFiltered).toBe(false)
  expect(whole.balances.every(({ outstanding, available }) => outstanding !== null && available !== null)).toBe(true)
  const without = await listCardAccounts('sandbox', { within: 'region=', pageSize: 100 })
  expect(without.matching).toBe(rows.filter((row) => !('region' in metadataOf(row))).length)
  for (const unstorable of ['a\0', String.raw`["\u0000"]`]) {
    const within = new URLSearchParams({ region: unstorable }).toString()
    expect((await listCardAccounts('sandbox', { within })).matching).toBe(0)
  }
  await expect(listCardAccounts('sandbox', { within: 'employeeEmail=a%40example.com' })).rejects.toMatchObject({
    code: 'NOT_PERMITTED',
  })
})

test('accounts that are added while somebody pages neither repeat nor hide a row', async () => {
  const desk = await openConsole({ seeded: 25 })
  await desk.signIn('viewer')
  const before = (await listCardAccounts('sandbox', { pageSize: 100 })).rows.map(({ account }) => account.id)
  const [template] = await desk.db.select().from(indexedAccounts).limit(1)
  if (!template) throw new Error('the index is empty')
  const now = new Date()
  const { ids } = await allPages({ pageSize: 4 }, async () => {
    const newer = new Date(Date.now() + 60_000)
    await desk.db
      .insert(indexedAccounts)
      .values({ ...template, id: randomUUID(), createdAt: newer, readAt: newer, reading: 99 })
    await desk.db.update(accountProgress).set({ asOf: now })
  })
  expect(ids).toEqual(before)
})

test('filters keep exactly the accounts that match, and totals count them', async () => {
  await desk.signIn('operations')
  const { rows } = await listCardAccounts('sandbox', { pageSize: 100 })
  const cases: [CardAccountFilters, (account: (typeof rows)[number]['account']) => boolean][] = [
    [{ currency: 'USD' }, ({ currency }) => currency === 'USD'],
    [{ accountType: 'prepaid' }, ({ accountType }) => accountType === 'prepaid'],
    [{ identity: 'rejected' }, ({ clientIdentityStatus }) => clientIdentityStatus === 'rejected'],
    [{ outstanding: 'yes' }, ({ outstanding }) => Number(outstanding) > 0],
    [{ limit: 'over' }, ({ available }) => Number(available) < 0],
    [
      { limit: 'near' },
      ({ accountType, limit, available }) =>
        accountType === 'credit' && Number(available) >= 0 && Number(available) < Number(limit) / 10,
    ],
    [{ disputed: 'yes' }, ({ disputeAmount }) => Number(disputeAmount) > 0],
    [{ groupKey: 'department', group: 'Engineering' }, ({ xmetadata }) => departmentOf(xmetadata) === 'Engineering'],
    [{ groupKey: 'department', ungrouped: 'yes' }, ({ xmetadata }) => departmentOf(xmetadata) === undefined],
    [
      { groupKey: 'costCentre', group: '4100' },
      ({ xmetadata }) => JSON.stringify(xmetadata ?? {}).includes('"costCentre":4100'),
    ],
    [{ q: 'emp-1001' }, ({ xid }) => xid?.includes('EMP-1001') ?? false],
    [{ q: '陳大文' }, ({ name }) => name?.includes('陳大文') ?? false],
    [{ q: '100%_\\' }, () => false],
    [
      { currency: 'HKD', accountType: 'credit', outstanding: 'yes' },
      (row) => row.currency === 'HKD' && row.accountType === 'credit' && Number(row.outstanding) > 0,
    ],
  ]
  for (const [filters, matches] of cases) {
    const list = await listCardAccounts('sandbox', { ...filters, pageSize: 100 })
    const expected = rows.filter(({ account }) => matches(account))
    expect(
      list.rows.map(({ account }) => account.id),
      JSON.stringify(filters),
    ).toEqual(expected.map(({ account }) => account.id))
    expect(list.matching).toBe(expected.length)
    for (const total of list.totals) {
      const own = expected.filter(({ account }) => account.currency === total.currency)
      expect(total.available).toBe(sum(own.map(({ account }) => account.available ?? 'none')).toFixed())
    }
  }
  const [some] = rows
  const id = some?.account.id ?? ''
  expect((await listCardAccounts('sandbox', { q: id.toUpperCase() })).rows.map(({ account }) => account.id)).toEqual([
    id,
  ])
  expect((await listCardAccounts('sandbox', { q: id.slice(0, 8) })).rows.map(({ account }) => account.id)).toEqual([id])
})

test('the list behind each group has the accounts that the group adds up, also for null and an empty text', async () => {
  const desk = await openConsole({ seeded: 6 })
  await desk.signIn('viewer')
  await readWhole()
  const values = [null, '', 'Kowloon', 4100]
  const ids = (await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts)).map(({ id }) => id)
  for (const [at, id] of ids.entries())
    await desk.db
      .update(indexedAccounts)
      .set({ currency: 'HKD', balance: '1', xmetadata: at < values.length ? { region: values[at] } : {} })
      .where(eq(indexedAccounts.id, id))
  const groups = await readSumsOfGroups('sandbox', 'region', {}, {})
  expect(groups.map(({ group, balance }) => [group, balance]).toSorted()).toEqual([
    ['', '3'],
    ['4100', '1'],
    ['Kowloon', '1'],
    ['null', '1'],
  ])
  for (const { group, balance } of groups) {
    const filter = group === '' ? { ungrouped: 'yes' as const } : { group }
    expect((await listCardAccounts('sandbox', { groupKey: 'region', ...filter })).matching).toBe(Number(balance))
  }
})

test('an account whose cards were never read says so while the service is away', async () => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('viewer')
  await readWhole()
  const [row] = await desk.db.update(indexedAccounts).set({ cards: null, cardsReadAt: null }).returning()
  await desk.db.delete(indexedCards)
  await desk.stopService()
  expect(await readCardAccount('sandbox', row?.id ?? '')).toMatchObject({
    cards: [],
    cardsProblem: 'The cards of this account were not read yet, and the card service is not responding.',
  })
})

test('the last four digits and the status of a card find its account', async () => {
  await desk.signIn('viewer')
  await readWhole()
  await listCardAccounts('sandbox', {})
  const [card] = await desk.service.service.db.select().from(cards).where(eq(cards.status, 'suspended')).limit(1)
  const found = await listCardAccounts('sandbox', { q: card?.last4 ?? '' })
  expect(found.rows.map(({ account }) => account.id)).toContain(card?.cardAccountId)
  const suspended = await listCardAccounts('sandbox', { cardStatus: 'suspended', pageSize: 100 })
  expect(suspended.rows.map(({ account }) => account.id)).toContain(card?.cardAccountId)
})

test('a pasted card number is refused before any request, and is in no row and no log', async () => {
  await desk.signIn('viewer')
  const log = captureLog()
  for (const q of ['4242424242424242', '4242 4242 4242 4242', 'card 4242-4242-4242-4242 please', '6011000990139424']) {
    await expect(listCardAccounts('sandbox', { q })).rejects.toMatchObject({ code: 'CARD_NUMBER_REFUSED', status: 400 })
    await expect(listCardAccounts('sandbox', { groupKey: 'x', group: q })).rejects.toMatchObject({
      code: 'CARD_NUMBER_REFUSED',
    })
  }
  expect(desk.requests.size).toBe(0)
  logFailure(new Error('planted'), {})
  expect(log()).toContain('planted')
  expect(log()).not.toMatch(/4242\D?4242|601100/)
  await expect(listCardAccounts('sandbox', { q: '4242424242424241' })).resolves.toMatchObject({ matching: 0 })
})

test('wrong filters, and tokens of another list, are refused by the name of the field', async () => {
  await desk.signIn('viewer')
  const { nextPageToken } = await listCardAccounts('sandbox', { pageSize: 1 })
  const [payload = '', mark = ''] = (nextPageToken ?? '').split('.')
  const forged = Buffer.from(JSON.stringify({ key: '0', id: randomUUID(), side: 'after', position: 0 })).toString(
    'base64url',
  )
  const wrong: [object, string][] = [
    [{ sort: 'salary' }, 'sort'],
    [{ direction: 'up' }, 'direction'],
    [{ pageSize: '0' }, 'pageSize'],
    [{ pageSize: 'x' }, 'pageSize'],
    [{ outstanding: 'maybe' }, 'outstanding'],
    [{ limit: 'far' }, 'limit'],
    [{ q: ['a', 'b'] }, 'q'],
    [{ q: 'a\0b' }, 'q'],
    [{ q: 'x'.repeat(201) }, 'q'],
    [{ group: 'Engineering' }, 'groupKey'],
    [{ pageToken: 'x' }, 'pageToken'],
    [{ pageToken: `${payload}.${mark}x` }, 'pageToken'],
    [{ pageToken: `${forged}.${mark}` }, 'pageToken'],
    [{ pageToken: nextPageToken, sort: 'name' }, 'pageToken'],
  ]
  for (const [search, field] of wrong) {
    await expect(listCardAccounts('sandbox', search as CardAccountFilters)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringContaining(field),
    })
  }
})

test('the way back from a page whose accounts are gone has every row of the page before, with its position', async () => {
  const desk = await openConsole({ seeded: 25 })
  await desk.signIn('viewer')
  const read = (pageToken?: string | null) =>
    listCardAccounts('sandbox', { pageSize: 10, ...(pageToken && { pageToken }) })
  const second = await read((await read()).nextPageToken)
  const third = await read(second.nextPageToken)
  const ids = third.rows.map(({ account }) => account.id)
  await desk.db.delete(indexedAccounts).where(inArray(indexedAccounts.id, ids))
  await desk.db.update(accountProgress).set({ asOf: new Date() })
  const gone = await read(second.nextPageToken)
  expect(gone.rows).toEqual([])
  const back = await read(gone.prevPageToken)
  expect(back.rows.map(({ account }) => account.id)).toEqual(second.rows.map(({ account }) => account.id))
  expect(back).toMatchObject({ first: 11, last: 20 })
})

test('a response to an earlier request never replaces a later one', async () => {
  const desk = await openConsole({ seeded: 3 })
  await desk.signIn('viewer')
  await listCardAccounts('sandbox', {})
  const [row] = await desk.db.select().from(indexedAccounts).limit(1)
  const later = new Date(Date.now() + 60_000)
  await desk.db.update(indexedAccounts).set({ name: 'Later', readAt: later })
  await accountIndex.readAll('sandbox')
  const [after] = await desk.db
    .select()
    .from(indexedAccounts)
    .where(eq(indexedAccounts.id, row?.id ?? ''))
  expect(after?.name).toBe('Later')
})

test('with the service away, lists, overview and accounts show what the index has, since when, and recover', async () => {
  const desk = await openConsole({ seeded: 12 })
  await desk.signIn('viewer')
  await readWhole()
  const before = await listCardAccounts('sandbox', {})
  await desk.stopService()
  await age(desk)
  const id = before.rows[0]?.account.id ?? ''
  const account = await readCardAccount('sandbox', id)
  expect(account.freshness).toMatchObject({ source: 'index', health: { unreachableSince: expect.any(String) } })
  expect(account.account).toEqual(before.rows[0]?.account)
  expect(account.cards).toHaveLength(before.rows[0]?.cards ?? -1)
  const list = await listCardAccounts('sandbox', {})
  expect(list.rows.map((row) => row.account)).toEqual(before.rows.map((row) => row.account))
  const since = (list.health as { unreachableSince: string }).unreachableSince
  expect(since).not.toBeNull()
  const overview = await readOverview('sandbox')
  expect(overview).toMatchObject({ aggregateValue: null, health: { unreachableSince: since } })
  expect(overview.totals).toEqual(before.totals)
  await expect(readCardAccount('sandbox', randomUUID())).rejects.toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    status: 503,
  })
  await expect(readAggregateBalances('sandbox', {})).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })

  await desk.startService()
  await vi.waitFor(async () => expect((await readCardAccount('sandbox', id)).freshness.source).toBe('service'), {
    timeout: 10_000,
  })
  expect((await listCardAccounts('sandbox', {})).health).toMatchObject({ unreachableSince: null })
})

test('the overview counts cards by status, sums balances, and names what needs attention', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const overview = await readOverview('sandbox')
  const all = await desk.service.service.db.select().from(cards)
  for (const { status, cards } of overview.cardsByStatus)
    expect(cards).toBe(all.filter((card) => card.status === status).length)
  expect(sum(overview.cardsByStatus.map(({ cards }) => cards)).toNumber()).toBe(all.length)
  const accounts = await desk.service.service.db.select().from(cardAccounts)
  const countOf = (id: string) => overview.attention.find((item) => item.id === id)?.count ?? 0
  expect(countOf('identity-rejected')).toBe(accounts.filter((row) => row.clientIdentityStatus === 'rejected').length)
  expect(countOf('identity-pending')).toBe(accounts.filter((row) => row.clientIdentityStatus === 'pending').length)
  expect(countOf('disputed')).toBe(accounts.filter((row) => amount(row.disputeAmount).gt(0)).length)
  // The rate moves every few seconds: both are asked until no move came between.
  await vi.waitFor(async () => {
    const { aggregateValue } = await readOverview('sandbox')
    const { balances } = await readAggregateBalances('sandbox', {})
    expect(aggregateValue?.value).toBe(sum(balances.map(({ value }) => value ?? 'none')).toFixed())
  })
})

test('the overview ranks amounts by their value in one currency, with the rates used', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const rank = async (rates: Record<string, string>) => {
    await desk.db.delete(rateSamples)
    const at = new Date()
    await desk.db
      .insert(rateSamples)
      .values({ environment: 'sandbox', baseCurrency: 'USD', at, rates, keptUntil: new Date(at.getTime() + 60_000) })
    Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
    const item = (await readOverview('sandbox')).attention.find(({ id }) => id === 'disputed')
    expect(item?.ranking).toMatchObject({ currency: 'USD', ratesAt: at.toISOString() })
    return item
  }
  const accounts = await desk.service.service.db.select().from(cardAccounts)
  const disputed = accounts.filter((row) => amount(row.disputeAmount).gt(0))
  const ids = (rates: Record<string, number>) =>
    disputed
      .toSorted((one, two) => valueIn(rates, two) - valueIn(rates, one))
      .slice(0, 5)
      .map(({ id }) => id)
  const valueIn = (rates: Record<string, number>, { disputeAmount, currency }: (typeof disputed)[number]) =>
    Number(disputeAmount) / (rates[currency] ?? 1)
  for (const rate of [7.8, 0.01]) {
    const item = await rank({ HKD: String(rate) })
    expect(item?.examples.map(({ id }) => id)).toEqual(ids({ HKD: rate }))
    expect(item?.ranking?.unconverted).toBe(0)
  }
  const unconverted = disputed.filter(({ currency }) => currency === 'HKD').length
  const withoutRate = await rank({ EUR: '0.9' })
  expect(withoutRate?.ranking?.unconverted).toBe(unconverted)
  expect(withoutRate?.examples.at(0)?.detail).toMatch(/USD$/)
})

test('metadata keys come with how many accounts and values they have', async () => {
  await desk.signIn('viewer')
  const accounts = await desk.service.service.db.select().from(cardAccounts)
  const departments = accounts.map(({ xmetadata }) => departmentOf(xmetadata)).filter((value) => value !== undefined)
  const { keys } = await listMetadataKeys('sandbox')
  expect(keys.find(({ key }) => key === 'department')).toEqual({
    key: 'department',
    accounts: departments.length,
    values: new Set(departments).size,
  })
})

function departmentOf(xmetadata: unknown): unknown {
  return typeof xmetadata === 'object' && xmetadata !== null && 'department' in xmetadata
    ? xmetadata.department
    : undefined
}

test('the cards of an account whose figures changed since are synced before those that were not read for longest', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const [{ id = '' } = {}] = await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts).limit(1)
  await desk.db.update(indexedAccounts).set({ cardsReadAt: sql`cards_read_at - interval '1 hour'` })
  const readAt = () =>
    desk.db.select({ at: indexedAccounts.cardsReadAt }).from(indexedAccounts).where(eq(indexedAccounts.id, id))
  await desk.db
    .update(indexedAccounts)
    .set({ cardsReadAt: sql`now()`, figuresChangedAt: sql`now() + interval '1 second'` })
    .where(eq(indexedAccounts.id, id))
  const [before] = await readAt()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 })
  onTestFinished(() => void vi.useRealTimers())
  desk.requests.clear()
  await readSomeCards('sandbox', { before: new Date(), againPerMinute: 12 })
  expect(desk.requests.get('/cards')).toBe(1)
  const [after] = await readAt()
  expect(after?.at?.getTime()).toBeGreaterThan(before?.at?.getTime() ?? 0)
})

test('accounts whose figures change all the time leave turns to the others', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const [{ id = '' } = {}] = await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts).limit(1)
  await desk.db
    .update(indexedAccounts)
    .set({ cardsReadAt: sql`now()`, figuresChangedAt: sql`now() + interval '1 hour'` })
  await desk.db
    .update(indexedAccounts)
    .set({ cardsReadAt: new Date(Date.now() - 3_600_000), figuresChangedAt: new Date(Date.now() - 7_200_000) })
    .where(eq(indexedAccounts.id, id))
  const before = new Date(Date.now() - 60_000)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 })
  onTestFinished(() => void vi.useRealTimers())
  await readSomeCards('sandbox', { before, againPerMinute: 24 })
  const [read] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, id))
  expect(read?.cardsReadAt?.getTime()).toBeGreaterThan(before.getTime())
})

test('an account whose cards cannot be read leaves its turn to the next one', async () => {
  await desk.signIn('viewer')
  await readWhole()
  const rows = await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts).limit(2)
  const [broken = '', next = ''] = rows.map(({ id }) => id)
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await desk.db.update(indexedAccounts).set({ cardsReadAt: sql`now()`, figuresChangedAt: ago(3) })
  await desk.db
    .update(indexedAccounts)
    .set({ cardsReadAt: ago(2) })
    .where(eq(indexedAccounts.id, broken))
  await desk.db
    .update(indexedAccounts)
    .set({ cardsReadAt: ago(1) })
    .where(eq(indexedAccounts.id, next))
  desk.intercept.after = ({ url }) =>
    url?.includes(broken) ? Response.json({ code: 'BROKEN' }, { status: 400 }) : null
  const before = ago(0.5)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 })
  onTestFinished(() => void vi.useRealTimers())
  await expect(readSomeCards('sandbox', { before, againPerMinute: 12 })).rejects.toMatchObject({
    code: 'SERVICE_REFUSED',
  })
  vi.setSystemTime(Date.now() + 5000)
  await readSomeCards('sandbox', { before, againPerMinute: 12 })
  const [read] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, next))
  expect(read?.cardsReadAt?.getTime()).toBeGreaterThan(before.getTime())
})

test('cards of a program without open pages are synced one account after the other, never all at once', async () => {
  await desk.signIn('viewer')
  await readWhole()
  await desk.db.update(indexedAccounts).set({ cardsReadAt: sql`cards_read_at - interval '1 hour'` })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const [{ accounts = 0 } = {}] = await desk.db.select({ accounts: sql<number>`count(*)::int` }).from(indexedAccounts)
  const rounds: number[] = []
  for (let round = 0; round < 24; round += 1) {
    vi.setSystemTime(Date.now() + 5000)
    desk.requests.clear()
    const before = new Date(Date.now() - 2 * 60_000)
    await readSomeCards('sandbox', { before, againPerMinute: accounts / 2 })
    rounds.push(desk.requests.get('/cards') ?? 0)
  }
  expect(Math.max(...rounds)).toBeLessThanOrEqual(Math.ceil(accounts / 24) + 1)
  expect(rounds.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(accounts - 2)
})
