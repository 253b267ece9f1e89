import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '#lib/db/connection.ts'
import { startServer, type StartedServer } from '../server.ts'
import { createServiceCaller } from '../service-caller.ts'
import type { Desk } from './desk.ts'
import { megabytes, multiple, orFailed, toRateFigure, time, type Figure } from './figure.ts'
import { type FilledIndex, fillIndex, openDatabase } from './fill-index.ts'
import { measureLists, percentile, repeat } from './scale-lists.ts'

const extents = {
  whole: { accounts: 100_000, warmUp: 10, runs: 60 },
  short: { accounts: 200, warmUp: 0, runs: 1 },
}

/** Service and console on 100,000 card accounts and 1,000,000 transactions, beside the seed of every day. */
export async function measureScale(desk: Desk): Promise<Figure[]> {
  const { accounts: usual, ...runs } = extents[desk.extent]
  const accounts = desk.accounts ?? usual
  const pages = Math.min(200, Math.floor(accounts / 50) - 1)
  const text = accounts.toLocaleString('en')
  const every = await desk.server()
  const small = await median(() => page(every), runs)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  const settings = { DEMO_CARD_ACCOUNTS: String(accounts), SANDBOX_RATE_LIMIT_PER_MINUTE: '0' }
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
      const beside = (figure: string, measure: () => Promise<number>) =>
        orFailed(figure, async () => multiple(figure, await median(measure, runs), reference, 2))
      const aggregate = () => timed(server, '/cardaccounts/aggregate-balance', { groupKey: 'department' })
      const deepToken = await tokenAfter(server, pages)
      return [
        time(`start with seeding ${text} accounts`, seedMs, 60_000),
        time('cold start of that server to its first answer', coldMs, 3_000),
        await beside(`first page of ${text} accounts`, () => page(server)),
        await beside(`page ${pages + 1} of ${text} accounts`, () => page(server, deepToken)),
        time(`aggregate balances of ${text} accounts`, await median(aggregate, runs), 150),
        ...(await measureLists(every, server, runs.runs)),
        ...sizesOf(filled),
      ]
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What a million rows may take with their indexes: an account has most of these, and search terms of two scripts. */
const mostMegabytes = { accounts: 6500, cards: 3000, transactions: 2500, fees: 4500 }

/** What the index of the program takes, and how fast the console filled it. */
function sizesOf({ tables, accountsPerSecond, feesPerSecond }: FilledIndex): Figure[] {
  return [
    toRateFigure('back-fill: accounts read into the index', accountsPerSecond, 500),
    toRateFigure('back-fill: fees read into the index', feesPerSecond, 500),
    ...Object.entries(tables).map(([kind, { rows, tableBytes, indexBytes, walBytes }]) => {
      const million = (bytes: number) => (bytes / Math.max(rows, 1)) * 1e6
      const text = (bytes: number) => `${Math.round(million(bytes) / 1e6).toLocaleString('en')} MB`
      const size = megabytes(
        `disk: a million ${kind} (of ${rows.toLocaleString('en')})`,
        million(tableBytes + indexBytes),
        mostMegabytes[kind as keyof typeof tables],
      )
      const log = walBytes === null ? '' : `, write-ahead log ${text(walBytes)}`
      return { ...size, reference: `indexes ${text(indexBytes)}${log}` }
    }),
  ]
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
