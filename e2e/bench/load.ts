import { Pool, type Dispatcher } from 'undici'

export const connections = 16

export type LoadRequest = Pick<Dispatcher.RequestOptions, 'method' | 'path'> & {
  headers?: Record<string, string>
  body?: string
}

/**
 * Responses a second over 16 connections, each of which sends the next request as soon as it has its response. `next` makes the next
 * request of a connection. Throws on a response other than 200, since an error is cheap.
 */
export async function measureRate(
  origin: string,
  next: (connection: number) => LoadRequest,
  ms: number,
): Promise<number> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const start = performance.now()
  const end = start + ms
  let responses = 0
  const request = async (connection: number) => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request(next(connection))
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
