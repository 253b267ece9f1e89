import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { sum } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { indexedLedger, ledgerProgress } from '#lib/tables/ledger.ts'
import { shareConsole } from '../testing/open-console.ts'
import { ledgerIndex } from './index-ledger.ts'
import { listLedger } from './list-ledger.ts'

const desk = shareConsole()

/** An entry as a service without ids sends it. `xid` tells the entries of this test apart; nothing else has to. */
type Entry = {
  id: string | null
  xid: string
  time: string
  createdAt: string | null
  asset: string
  amount: number
  intent: string
  intentId: string
  status: string
  balance: number | null
  accountNumber: string
}

const addition = fc.record({
  /** Entries that are equal in everything by which they could be told apart. */
  times: fc.integer({ min: 1, max: 4 }),
  account: fc.constantFrom('A', 'B'),
  intent: fc.constantFrom('payout', 'topup'),
  cents: fc.constantFrom(-2500, 10, 1005),
  status: fc.constantFrom('pending', 'posted', 'void'),
  afterMs: fc.integer({ min: 0, max: 2 }),
})
const pageSize = fc.integer({ min: 1, max: 8 })
const step = fc.oneof(
  fc.record({ act: fc.constant('add' as const), added: addition }),
  fc.record({ act: fc.constant('end' as const), place: fc.nat(30), as: fc.constantFrom('posted', 'void') }),
  fc.record({ act: fc.constant('newest' as const), pageSize }),
  fc.record({ act: fc.constant('whole' as const), pageSize, arriving: fc.array(addition, { maxLength: 3 }) }),
)

/** The ledger of a service that lists the latest posting first, and goes on behind the last entry that it has sent. */
function makeLedger({ hasIds, hasCreated }: { hasIds: 'all' | 'some' | 'none'; hasCreated: boolean }) {
  const entries: Entry[] = []
  let now = Date.parse('2026-11-20T01:00:00.000Z')
  let added = 0
  const newestFirst = () =>
    entries.toSorted((one, other) =>
      one.time === other.time ? number(other) - number(one) : one.time < other.time ? 1 : -1,
    )
  const number = ({ xid }: Entry) => Number(xid.slice(2))
  return {
    newestFirst,
    add({
      times,
      account,
      intent,
      cents,
      status,
      afterMs,
    }: typeof addition extends fc.Arbitrary<infer One> ? One : never) {
      now += afterMs
      const at = new Date(now).toISOString()
      for (let one = 0; one < times; one += 1) {
        added += 1
        const isNamed = hasIds === 'all' || (hasIds === 'some' && added % 2 === 0)
        entries.push({
          id: isNamed ? `E-${added}` : null,
          xid: `N-${added}`,
          time: at,
          createdAt: hasCreated ? at : null,
          asset: account === 'A' ? 'HKD' : 'USD',
          amount: cents / 100,
          intent,
          intentId: 'I-1',
          status,
          balance: status === 'posted' ? added : null,
          accountNumber: account,
        })
      }
    },
    end(place: number, as: string) {
      const pending = entries.filter(({ status }) => status === 'pending')
      const entry = pending[place % Math.max(pending.length, 1)]
      if (!entry) return
      now += 1
      Object.assign(entry, {
        status: as,
        ...(as === 'posted' ? { time: new Date(now).toISOString(), balance: now } : {}),
      })
    },
    page(size: number, token: string | null) {
      const all = newestFirst()
      const from = token === null ? 0 : all.findIndex(({ xid }) => xid === token) + 1
      const transactions = all.slice(from, from + size)
      return { transactions, nextPageToken: from + size < all.length ? (transactions.at(-1)?.xid ?? null) : null }
    },
  }
}

beforeEach(async () => {
  await desk.signIn('viewer')
})

const rowIds = async () => (await desk.db.select({ id: indexedLedger.id }).from(indexedLedger)).map(({ id }) => id)

/** What the index has is what the service lists, in its order and to the cent. */
async function expectSame(listed: readonly Entry[]) {
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
  const found: (string | null)[] = []
  let pageToken: string | undefined
  do {
    const page = await listLedger('sandbox', { pageSize: 9, ...(pageToken ? { pageToken } : {}) })
    found.push(...page.transactions.map(({ xid }) => xid))
    pageToken = page.nextPageToken ?? undefined
    expect(page.totals.matching).toBe(listed.length)
    for (const { currency, statuses } of page.totals.currencies) {
      for (const { status, records, amount } of statuses) {
        const own = listed.filter((entry) => entry.asset === currency && entry.status === status)
        expect([records, amount]).toEqual([own.length, sum(own.map((entry) => entry.amount)).toFixed()])
      }
    }
  } while (pageToken)
  expect(found).toEqual(listed.map(({ xid }) => xid))
}

test('after a whole reading the index is the ledger, whatever came before and arrives between its pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('all' as const, 'some' as const, 'none' as const),
      fc.boolean(),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      pageSize,
      async (hasIds, hasCreated, steps, lastSize) => {
        await desk.db.delete(indexedLedger)
        await desk.db.delete(ledgerProgress)
        const ledger = makeLedger({ hasIds, hasCreated })
        let size = lastSize
        let arriving: Parameters<typeof ledger.add>[0][] = []
        desk.intercept.before = ({ url = '' }, response) => {
          response.setHeader('content-type', 'application/json')
          const { searchParams } = new URL(url, 'http://service.test')
          const isLedger = url.includes('/transactions') && !searchParams.has('accountId')
          const page = ledger.page(size, searchParams.get('pageToken'))
          response.end(JSON.stringify(isLedger ? page : { accounts: [], transactions: [], nextPageToken: null }))
          if (isLedger) for (const one of arriving.splice(0, 1)) ledger.add(one)
          return true
        }
        const readWhole = async () => {
          const before = ledger.newestFirst()
          const known = await rowIds()
          await ledgerIndex.readAll('sandbox')
          // Without a time of recording, an entry that was posted has another key.
          if (hasCreated) expect(await rowIds()).toEqual(expect.arrayContaining(known))
          return before
        }
        for (const one of steps) {
          if (one.act === 'add') ledger.add(one.added)
          else if (one.act === 'end') ledger.end(one.place, one.as)
          else {
            size = one.pageSize
            if (one.act === 'newest') await ledgerIndex.readNewest('sandbox')
            else {
              arriving = [...one.arriving]
              const before = await readWhole()
              arriving = []
              expect(await desk.db.$count(indexedLedger)).toBe(before.length)
            }
          }
        }
        size = lastSize
        await readWhole()
        await expectSame(ledger.newestFirst())
      },
    ),
    { numRuns: cases(100) },
  )
}, 120_000)
