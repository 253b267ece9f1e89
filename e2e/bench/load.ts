import { Pool, type Dispatcher } from 'undici'
import type { Extent } from './desk.ts'

export const connections = 16

export type LoadRequest = Pick<Dispatcher.RequestOptions, 'method' | 'path'> & {
  headers?: Record<string, string>
  body?: string
}

/** The next request of a connection; null where it has no more, which ends the round. */
export type NextRequest = (connection: number) => LoadRequest | null
/** `prepare` is called before each round, out of its time. */
type Load = { origin: string; prepare: () => NextRequest | Promise<NextRequest> }

const extents = { whole: { roundMs: 2_000, rounds: 3 }, short: { roundMs: 50, rounds: 1 } }

/** Responses a second of each load, in turns: the first round warms up, the mean of the others counts. */
export async function measureInTurns<Name extends string>(
  extent: Extent,
  loads: Record<Name, Load>,
): Promise<Record<Name, number>> {
  const { roundMs, rounds } = extents[extent]
  const names = Object.keys(loads) as Name[]
  const received = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const perSecond = await measureRate(loads[name], roundMs)
      if (round > 0) received[name] += perSecond / rounds
    }
  }
  return received
}

/**
 * Responses a second over 16 connections, each of which sends the next request as soon as it has its response. Throws on a
 * response other than 200, since an error is cheap.
 */
async function measureRate({ origin, prepare }: Load, ms: number): Promise<number> {
  const next = await prepare()
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const start = performance.now()
  let end = start + ms
  let responses = 0
  const request = async (connection: number) => {
    while (performance.now() < end) {
      const request = next(connection)
      if (!request) return void (end = 0)
      const { statusCode, body } = await pool.request(request)
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`the load got ${statusCode}: ${text}`)
      responses += 1
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, (_, connection) => request(connection)))
    return responses / ((performance.now() - start) / 1000)
  } finally {
    await pool.close()
  }
}
