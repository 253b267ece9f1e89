import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listPermissions, roles } from '#lib/auth/permissions.ts'
import { payouts as servicePayouts } from '#lib/service/tables/payouts.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { sum } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { reads } from '../reads.ts'
import { openConsole, shareConsole } from '../testing/open-console.ts'
import { indexPayouts } from './index-payouts.ts'
import type { PayoutFilters } from './payout-filters.ts'
import { parsePayout } from './payout-record.ts'
import type { PayoutList, PayoutRecord } from './types.ts'

const desk = shareConsole({ seeded: 1 })

const { readPayout, listPayouts } = reads

async function allPages(filters: PayoutFilters, between: () => Promise<void> = async () => undefined) {
  const ids: string[] = []
  let page = await listPayouts('sandbox', filters)
  for (;;) {
    expect(page.payouts.length === 0 ? 0 : page.last - page.first + 1).toBe(page.payouts.length)
    if (page.payouts.length > 0) expect(page.first).toBe(ids.length + 1)
    ids.push(...page.payouts.map(({ id }) => id))
    if (!page.nextPageToken) return { ids, last: page }
    await between()
    page = await listPayouts('sandbox', { ...filters, pageToken: page.nextPageToken })
  }
}

const amountOf = (text: string | null) => Number(text ?? 0)

test('filters keep exactly the payouts that match, in order, and the count and the totals are of these', async () => {
  await desk.signIn('viewer')
  const everything = (await listPayouts('sandbox', { pageSize: 100 })).payouts
  const truth = await desk.service.service.db.select().from(servicePayouts)
  expect(everything.map(({ id }) => id).toSorted()).toEqual(truth.map(({ id }) => id).toSorted())
  const [some] = everything.filter(({ xid }) => xid !== null)
  const [first, last] = [everything.at(30)?.created ?? '', everything.at(3)?.created ?? '']
  const accountId = some?.accountId ?? ''
  const cases: [PayoutFilters, (payout: PayoutRecord) => boolean][] = [
    [{}, () => true],
    [{ status: 'under-recall' }, ({ status }) => status === 'under-recall'],
    [{ status: ['cancelled', 'failed'] }, ({ status }) => ['cancelled', 'failed'].includes(status ?? '')],
    [{ status: ['nobody-knows-this', 'requested'] }, ({ status }) => status === 'requested'],
    [{ method: 'BANK_WIRE' }, ({ method }) => method === 'BANK_WIRE'],
    [{ sourceCurrency: 'USD' }, ({ sourceCurrency }) => sourceCurrency === 'USD'],
    [{ destinationCurrency: 'IDR' }, ({ destinationCurrency }) => destinationCurrency === 'IDR'],
    [{ accountId }, (payout) => payout.accountId === accountId],
    [{ dateRangeFrom: first, dateRangeTo: last }, ({ created }) => (created ?? '') >= first && (created ?? '') <= last],
    [{ dateRangeFrom: last }, ({ created }) => (created ?? '') >= last],
    [{ q: 'maria SANTOS' }, ({ destination }) => destination.accountHolderName === 'Maria Santos'],
    [{ q: some?.xid ?? '' }, ({ xid }) => xid === some?.xid],
    [{ q: some?.id.toUpperCase() ?? '' }, ({ id }) => id === some?.id],
    [{ q: some?.id.slice(0, 9) ?? '' }, ({ id }) => id === some?.id],
    [{ q: '100%_\\' }, () => false],
    [
      { status: 'completed', sourceCurrency: 'HKD', destinationCurrency: 'PHP', q: 'maria' },
      (payout) =>
        payout.status === 'completed' && payout.sourceCurrency === 'HKD' && payout.destinationCurrency === 'PHP',
    ],
  ]
  for (const [filters, matches] of cases) {
    const list = await listPayouts('sandbox', { ...filters, pageSize: 100 })
    const expected = everything.filter(matches)
    expect(
      list.payouts.map(({ id }) => id),
      JSON.stringify(filters),
    ).toEqual(expected.map(({ id }) => id))
    expect(list.matching).toBe(expected.length)
    expectTotals(list, expected)
  }
})

function expectTotals({ totals }: PayoutList, expected: readonly PayoutRecord[]): void {
  for (const [side, currency, amount] of [
    ['source', 'sourceCurrency', 'sourceAmount'],
    ['destination', 'destinationCurrency', 'destinationAmount'],
  ] as const) {
    const currencies = [...new Set(expected.map((payout) => payout[currency]))]
    expect(totals[side].map((total) => total.currency).toSorted()).toEqual(currencies.toSorted())
    for (const total of totals[side]) {
      const own = expected.filter((payout) => payout[currency] === total.currency)
      expect(total.payouts).toBe(own.length)
      expect(total.statuses.map(({ status }) => status).toSorted()).toEqual(
        [...new Set(own.map(({ status }) => status))].toSorted(),
      )
      for (const { status, amount: reported } of total.statuses) {
        const ofStatus = own.filter((payout) => payout.status === status)
        expect(reported).toBe(sum(ofStatus.map((payout) => payout[amount] ?? '0')).toFixed())
      }
      expect(total.excluded).toBe(0)
    }
  }
}

test('an unknown status is listed, can be filtered by, and is offered as a filter', async () => {
  await desk.signIn('viewer')
  const { payouts, offered } = await listPayouts('sandbox', { pageSize: 100 })
  expect(payouts.map(({ status }) => status)).toContain('under-recall')
  expect(payouts.map(({ subStatus }) => subStatus)).toContain('AWAITING_LOCAL_CLEARING_WINDOW')
  expect(offered.statuses).toEqual([...new Set(payouts.map(({ status }) => status))].toSorted())
  expect(offered.statuses).toContain('under-recall')
  expect(offered.methods).toContain('BANK_WIRE')
  expect(offered.accounts.map(({ name, currency }) => [name, currency])).toEqual(
    expect.arrayContaining([
      ['HKD operating account', 'HKD'],
      ['USD settlement account', 'USD'],
    ]),
  )
})

test('each sort, both ways and in pages of any size, shows every payout once, in order, and goes back the same way', async () => {
  await desk.signIn('viewer')
  const sorts: [PayoutFilters, (payout: PayoutRecord) => number][] = [
    [{ sort: 'created' }, ({ created }) => Date.parse(created ?? '')],
    [{ sort: 'updated' }, ({ updated }) => Date.parse(updated ?? '')],
    [{ sort: 'destinationAmount', destinationCurrency: 'PHP' }, (payout) => amountOf(payout.destinationAmount)],
    [{ sort: 'sourceAmount', sourceCurrency: 'HKD' }, (payout) => amountOf(payout.sourceAmount)],
  ]
  for (const [filters, valueOf] of sorts) {
    for (const direction of ['asc', 'desc'] as const) {
      const search = { ...filters, direction }
      const { ids, last } = await allPages({ ...search, pageSize: 7 })
      const whole = await listPayouts('sandbox', { ...search, pageSize: 100 })
      expect(whole.payouts.map(({ id }) => id)).toEqual(ids)
      expect(new Set(ids).size).toBe(whole.matching)
      expect(ids.length).toBeGreaterThan(3)
      const values = whole.payouts.map(valueOf)
      const sorted = values.toSorted((one, other) => one - other)
      expect(values).toEqual(direction === 'asc' ? sorted : sorted.toReversed())

      let page = last
      const back = page.payouts.map(({ id }) => id)
      while (page.prevPageToken) {
        page = await listPayouts('sandbox', { ...search, pageSize: 7, pageToken: page.prevPageToken })
        back.unshift(...page.payouts.map(({ id }) => id))
      }
      expect(back).toEqual(ids)
      expect(page.first).toBe(1)
    }
  }
})

test('payouts that are made while somebody pages neither repeat nor hide a row', async () => {
  await desk.signIn('viewer')
  const before = (await listPayouts('sandbox', { pageSize: 100 })).payouts.map(({ id }) => id)
  const { ids } = await allPages({ pageSize: 4 }, async () => {
    const created = new Date(Date.now() + 60_000).toISOString()
    const payout = parsePayout({ id: randomUUID(), created, updated: created })
    await indexPayouts('sandbox', payout ? [payout] : [], new Date(Date.now() + 60_000))
  })
  expect(ids).toEqual(before)
})

test('amounts are sorted within one currency only; an unknown filter is refused by its name', async () => {
  await desk.signIn('viewer')
  const refused = async (search: object) => {
    const error = await listPayouts('sandbox', search).catch((caught: unknown) => caught)
    return isAppError(error) ? `${error.code}: ${error.message}` : 'not refused'
  }
  expect(await refused({ sort: 'destinationAmount' })).toMatch(/INVALID_PARAMETERS: sort .*destinationCurrency/)
  expect(await refused({ sort: 'sourceAmount', destinationCurrency: 'PHP' })).toMatch(/sort .*sourceCurrency/)
  expect(await refused({ sort: 'rate' })).toMatch(/sort must be one of/)
  expect(await refused({ dateRangeFrom: 'yesterday' })).toMatch(/dateRangeFrom must be a date-time/)
  expect(await refused({ pageToken: 'made.up' })).toMatch(/pageToken does not belong/)
  const { nextPageToken } = await listPayouts('sandbox', { pageSize: 2 })
  expect(await refused({ pageSize: 2, status: 'completed', pageToken: nextPageToken })).toMatch(
    /pageToken does not belong to this list/,
  )
  expect(await refused({ q: 'to 4242-4242 4242 4242 please' })).toMatch(/CARD_NUMBER_REFUSED/)
})

test('a person who may not read payouts reads none, in the list and in detail, in either environment', async () => {
  const id = randomUUID()
  for (const role of [...roles, null]) {
    await desk.signIn(role)
    for (const environment of ['sandbox', 'production'] as Environment[]) {
      const may = role !== null && listPermissions(role, environment).includes('payouts.read')
      const errorCode = role === null ? 'NOT_SIGNED_IN' : may ? null : 'NOT_PERMITTED'
      const connected = environment === 'sandbox'
      expect(await codeOf(() => listPayouts(environment, {}))).toBe(errorCode ?? (connected ? null : 'NOT_CONNECTED'))
      expect(await codeOf(() => readPayout(environment, id))).toBe(
        errorCode ?? (connected ? 'PAYOUT_NOT_FOUND' : 'NOT_CONNECTED'),
      )
    }
  }
})

async function codeOf(read: () => Promise<unknown>): Promise<string | null> {
  const error = await read().catch((caught: unknown) => caught)
  return isAppError(error) ? error.code : null
}

test('during an outage the list and a payout show what the console last read, with a note', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const before = await listPayouts('sandbox', {})
  const [{ id } = { id: '' }] = before.payouts
  const freshness = await readPayout('sandbox', id)
  expect(freshness.freshness.source).toBe('service')
  await desk.stopService()
  const down = await readPayout('sandbox', id)
  expect(down).toMatchObject({ payout: freshness.payout, timeline: { stops: freshness.timeline.stops } })
  expect(down.freshness).toMatchObject({ source: 'index', asOf: freshness.freshness.asOf })
  const list = await listPayouts('sandbox', {})
  expect(list.payouts).toEqual(before.payouts)
  expect(list.coverage.asOf).toBe(before.coverage.asOf)
  expect(list.health).toMatchObject({ connected: true, unreachableSince: expect.any(String) })
  await expect(readPayout('sandbox', randomUUID())).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  await desk.startService()
})

test('before the first full sync the list marks its totals as partial', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  await desk.stopService()
  expect((await listPayouts('sandbox', {})).coverage).toMatchObject({ isComplete: false, asOf: null })
})
