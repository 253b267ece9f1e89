import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port below those that systems give to connections and to servers without a port of their own: one of these could take
 * it before a server takes it, or between two starts of one.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
