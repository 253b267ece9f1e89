import { setTimeout as delay } from 'node:timers/promises'
import type { StartedServer } from '../server.ts'
import { signInCookie } from '../sign-in-by-cookie.ts'
import { orFailed, times, type Figure, type Times } from './figure.ts'

/** What a person asks of the console's lists: each list, its filters and its sorts. */
const lists: Record<string, string> = {
  'card accounts': 'card-accounts',
  'card accounts, by outstanding': 'card-accounts?currency=HKD&sort=outstanding&direction=desc',
  'card accounts, by name': 'card-accounts?sort=name&direction=asc',
  'card accounts of one group': 'card-accounts?groupKey=region&group=Kowloon',
  'card accounts by a name': 'card-accounts?q=chan',
  'disputed accounts, by age': 'card-accounts?disputed=yes&sort=disputedSince&direction=asc',
  transactions: 'transactions',
  'transactions, declined': 'transactions?status=declined',
  'transactions of a response code': 'transactions?responseCode=61',
  'transactions of a merchant': 'transactions?merchant=fortress',
  'transactions of a merchant code, by amount': 'transactions?currency=HKD&mcc=5411&sort=amount&direction=desc',
  'transactions of an intent, by amount': 'transactions?currency=HKD&intent=fee&sort=amount&direction=desc',
  'transactions, declined, by amount': 'transactions?currency=HKD&status=declined&sort=amount&direction=asc',
  'transactions in dispute, by age': 'transactions?dispute=open&sort=disputeOpenedAt&direction=asc',
  'cards, by expiry': 'cards?sort=expires&direction=asc',
  'cards, locked, by name': 'cards?status=locked&sort=name&direction=asc',
  'cards by a name, in its order': 'cards?q=chan&sort=name&direction=desc',
  'cards not used for long': 'cards?unusedSince=2020-01-01T00:00:00Z&sort=used&direction=desc',
  'cards near their limit': 'cards?limit=near',
  fees: 'fees',
  'fees, void': 'fees?status=void',
  'fees of an intent, by amount': 'fees?intent=late-payment-fee&currency=HKD&sort=amount&direction=desc',
  'fees by a name': 'fees?q=chan',
  payouts: 'payouts',
  'payouts, by amount': 'payouts?sourceCurrency=HKD&sort=sourceAmount&direction=desc',
}

/** Lists whose totals are new each time, with a filter that no run had before, so that none is kept. */
const totals: Record<string, (run: number) => string> = {
  transactions: (run) => `transactions?currency=HKD&amountFrom=${100 + run}`,
  fees: (run) => `fees?dateRangeTo=${encodeURIComponent(new Date(Date.now() - run * 1000).toISOString())}`,
  'card accounts': (run) => `card-accounts?currency=HKD&within=${encodeURIComponent(`region=Kowloon&run-${run}=`)}`,
}
const searches = ['chan tai man', 'man chan', 'chna', '陳', 'fortress', '4242', 'emp-1001', '9036 8176', 'lee@']

type Read = (path: string) => Promise<number>

/** Lists, totals and search of a large program beside those of a small one. */
export async function measureLists(small: StartedServer, large: StartedServer, runs: number): Promise<Figure[]> {
  const [ofSmall, ofLarge] = [await readerOf(small), await readerOf(large)]
  await filled(small)
  const beside = (figure: string, bar: Parameters<typeof times>[3], count: number, path: (run: number) => string) =>
    orFailed(figure, () => compare(figure, bar, count, path))
  const compare = async (
    figure: string,
    bar: Parameters<typeof times>[3],
    count: number,
    path: (run: number) => string,
  ) => {
    const timesOf = async (read: Read): Promise<Times> => {
      const found = await repeat(count, (run) => read(path(run)))
      return { p50: percentile(found, 0.5), p99: percentile(found, 0.99) }
    }
    const reference = await timesOf(ofSmall)
    return times(figure, await timesOf(ofLarge), reference, bar)
  }
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(lists)) {
    figures.push(await beside(`list: ${name}`, { multiple: 2 }, runs, () => path))
  }
  for (const [name, path] of Object.entries(totals)) {
    figures.push(await beside(`totals of a new filter: ${name}`, { p50: 150 }, runs, path))
  }
  const search = (run: number) => `search?q=${encodeURIComponent(searches[run % searches.length] ?? '')}`
  return [...figures, await beside('search', { p99: 100 }, runs * 4, search)]
}

/** Waits until the whole of a small program is in the index. */
export async function filled({ url }: StartedServer): Promise<void> {
  const cookie = await signInCookie(url, 'operations')
  const end = performance.now() + 300_000
  while (performance.now() < end) {
    const response = await fetch(`${url}/api/sandbox/transactions`, { headers: { cookie } })
    const { coverage } = (await response.json()) as { coverage: { isComplete: boolean } }
    if (coverage.isComplete) return
    await delay(1000)
  }
  throw new Error('The transactions of the small program were not read within five minutes.')
}

/** Reads of the console's API as operations staff. Returns their times. */
async function readerOf({ url }: StartedServer): Promise<Read> {
  const cookie = await signInCookie(url, 'operations')
  return async (path) => {
    const start = performance.now()
    const response = await fetch(`${url}/api/sandbox/${path}`, { headers: { cookie } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`)
    return performance.now() - start
  }
}

export async function repeat(runs: number, run: (at: number) => Promise<number>): Promise<number[]> {
  await run(0)
  const found: number[] = []
  for (let at = 0; at < runs; at += 1) found.push(await run(at + 1))
  return found
}

export function percentile(found: readonly number[], share: number): number {
  const sorted = found.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
