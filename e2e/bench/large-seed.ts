import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer, type StartedServer } from '../server.ts'
import { createServiceCaller } from '../service-caller.ts'
import type { Desk } from './desk.ts'
import { multiple, time, type Figure } from './figure.ts'

const extents = {
  whole: { accounts: '100000', pages: 200, warmUp: 10, runs: 41 },
  short: { accounts: '200', pages: 2, warmUp: 0, runs: 1 },
}

/** The service on 100,000 card accounts and 1,000,000 transactions, beside the seed of every day. */
export async function measureLargeSeed(desk: Desk): Promise<Figure[]> {
  const { accounts, pages, ...runs } = extents[desk.extent]
  const every = await desk.server()
  const small = await median(() => page(every), runs)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  const settings = { DEMO_CARD_ACCOUNTS: accounts, SANDBOX_RATE_LIMIT_PER_MINUTE: '0' }
  try {
    const began = performance.now()
    const first = await startServer({ settings, dataDir })
    const seedMs = performance.now() - began
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
      ]
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
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
  const times: number[] = []
  for (let at = 0; at < runs; at += 1) times.push(await run())
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}
