import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '#lib/db/connection.ts'
import { startServer, type StartedServer } from '../server.ts'
import { createServiceCaller } from '../service-caller.ts'
import { cookieOf } from '../sign-in-by-cookie.ts'
import type { Desk } from './desk.ts'
import { kilobytes, multiple, rateOf, time, type Figure } from './figure.ts'
import { type FilledIndex, fillIndex, openDatabase, searchable } from './fill-index.ts'

const extents = {
  whole: { accounts: '100000', pages: 200, warmUp: 10, runs: 41 },
  short: { accounts: '200', pages: 2, warmUp: 0, runs: 1 },
}

/** Service and console on 100,000 card accounts and 1,000,000 transactions, beside the seed of every day. */
export async function measureScale(desk: Desk): Promise<Figure[]> {
  const { accounts, pages, ...runs } = extents[desk.extent]
  const every = await desk.server()
  const small = await median(() => page(every), runs)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  const settings = { DEMO_CARD_ACCOUNTS: accounts, SANDBOX_RATE_LIMIT_PER_MINUTE: '0' }
  try {
    const began = performance.now()
    const first = await startServer({ settings, dataDir })
    const seedMs = performance.now() - began
    const filled = await withDatabase(dataDir, fillIndex)
    await first.stop()

    const again = performance.now()
    const server = await startServer({ settings, dataDir })
    await createServiceCaller(server.access).get('/ping')
    const coldMs = performance.now() - again
    try {
      const reference = { name: 'first page, 60 accounts', ms: small }
      const firstPage = await median(() => page(server), runs)
      const deepToken = await tokenAfter(server, pages)
      const deepPage = await median(() => page(server, deepToken), runs)
      const aggregate = await median(
        () => timed(server, '/cardaccounts/aggregate-balance', { groupKey: 'department' }),
        runs,
      )
      return [
        time('start with seeding 100,000 accounts and 1,000,000 transactions', seedMs, 60_000),
        time('cold start of that server to its first answer', coldMs, 3_000),
        multiple('first page of 100,000 accounts', firstPage, reference, 2),
        multiple('page 201 of 100,000 accounts', deepPage, reference, 2),
        time('aggregate balances of 100,000 accounts', aggregate, 150),
        ...(await measureLists(every, server, { runs: runs.runs, dataDir, filled })),
      ]
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What a person asks of the console's lists and of the search. A total is asked with an amount of its own, so that none is kept. */
const lists: Record<string, (run: number) => string> = {
  'card accounts, by outstanding': () => 'card-accounts?currency=HKD&sort=outstanding&direction=desc',
  'card accounts of one group': () => 'card-accounts?groupKey=region&group=Kowloon',
  transactions: () => 'transactions',
  'declined transactions': () => 'transactions?status=declined',
  'transactions by amount, of one merchant code': () => 'transactions?currency=HKD&mcc=5411&sort=amount&direction=desc',
  cards: () => 'cards?sort=expires&direction=asc',
  'locked cards by name': () => 'cards?status=locked&sort=name&direction=asc',
  payouts: () => 'payouts',
}
const totals = (run: number) => `transactions?currency=HKD&amountFrom=${100 + run}`
const searches = ['chan tai man', 'man chan', 'chna', '陳', 'fortress', '4242', 'emp-1001', '9036 8176', 'lee@']

/** The console's lists, totals and search, each at 100,000 accounts beside 60. */
async function measureLists(
  small: StartedServer,
  large: StartedServer,
  { runs, dataDir, filled }: { runs: number; dataDir: string; filled: FilledIndex },
): Promise<Figure[]> {
  await withDatabase(dataDir, searchable)
  const [ofSmall, ofLarge] = [await readerOf(small), await readerOf(large)]
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(lists)) {
    const reference = { name: '60 accounts', ms: percentile(await repeat(runs, (run) => ofSmall(path(run))), 0.5) }
    const ms = percentile(await repeat(runs, (run) => ofLarge(path(run))), 0.5)
    figures.push(multiple(`console: ${name}, median`, ms, reference, 2))
  }
  const ofTotals = await repeat(runs, (run) => ofLarge(totals(run)))
  const found = await repeat(runs * 4, (run) =>
    ofLarge(`search?q=${encodeURIComponent(searches[run % searches.length] ?? '')}`),
  )
  return [
    ...figures,
    time('console: totals of a new filter, median', percentile(ofTotals, 0.5), 150),
    time('console: search, median', percentile(found, 0.5), 50),
    time('console: search, p99', percentile(found, 0.99), 100),
    rateOf('accounts read into the index each second', filled.accountsPerSecond, 500),
    kilobytes('index on disk per thousand transactions', filled.bytesPerTransaction * 1000, 2000),
  ]
}

/** Reads of the console's API as operations staff. Returns their times. */
async function readerOf({ url }: StartedServer): Promise<(path: string) => Promise<number>> {
  const cookie = await cookieOf(url, 'operations')
  return async (path) => {
    const start = performance.now()
    const response = await fetch(`${url}/api/sandbox/${path}`, { headers: { cookie } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`)
    return performance.now() - start
  }
}

async function repeat(runs: number, run: (at: number) => Promise<number>): Promise<number[]> {
  await run(0)
  const times: number[] = []
  for (let at = 0; at < runs; at += 1) times.push(await run(at))
  return times
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function withDatabase<Value>(dataDir: string, work: (db: Database) => Promise<Value>): Promise<Value> {
  const db = openDatabase(dataDir)
  try {
    return await work(db)
  } finally {
    await db.$client.end()
  }
}

async function timed(server: StartedServer, address: string, query: Record<string, string>): Promise<number> {
  const service = createServiceCaller(server.access)
  const start = performance.now()
  const { status } = await service.get(address, query)
  if (status !== 200) throw new Error(`${address} returned ${status}`)
  return performance.now() - start
}

function page(server: StartedServer, pageToken?: string): Promise<number> {
  return timed(server, '/cardaccounts', { pageSize: '50', ...(pageToken ? { pageToken } : {}) })
}

async function tokenAfter(server: StartedServer, pages: number): Promise<string> {
  const service = createServiceCaller(server.access)
  let pageToken = ''
  for (let at = 0; at < pages; at += 1) {
    const { body } = await service.get('/cardaccounts', { pageSize: '50', ...(pageToken ? { pageToken } : {}) })
    pageToken = (body as { nextPageToken: string }).nextPageToken
  }
  return pageToken
}

async function median(run: () => Promise<number>, { warmUp, runs }: { warmUp: number; runs: number }): Promise<number> {
  for (let at = 0; at < warmUp; at += 1) await run()
  return percentile(await repeat(runs, run), 0.5)
}
