import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { generateKeyPair } from '#lib/signing/keys.ts'
import { startServer } from '../server.ts'
import { share, type Figure } from './figure.ts'
import { connections, measureRate, type LoadRequest } from './load.ts'

const roundMs = 4_000
const rounds = 3

/**
 * A read of the console's API, which signs a request to a service that responds at once, beside a bare route handler of the
 * same build, in turns.
 */
export async function measureConsoleApi(): Promise<Figure[]> {
  const stub = new Worker(new URL('./stub-service.ts', import.meta.url))
  const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  try {
    const [port] = (await once(stub, 'message')) as [number]
    const server = await startServer({
      dataDir,
      settings: {
        SERVICE_SANDBOX_URL: `http://127.0.0.1:${port}/v1`,
        SERVICE_SANDBOX_ACCESS_KEY: randomUUID(),
        SERVICE_SANDBOX_PRIVATE_KEY: (await generateKeyPair()).privateKey,
      },
    })
    try {
      const health: LoadRequest = { method: 'GET', path: '/api/health', headers: { host: `localhost:${server.port}` } }
      const read: LoadRequest = {
        method: 'GET',
        path: `/api/sandbox/card-accounts/${randomUUID()}/transactions`,
        headers: { host: `localhost:${server.port}`, cookie: await signIn(server.url) },
      }
      const received = { bare: 0, read: 0 }
      for (let round = 0; round <= rounds; round += 1) {
        for (const [kind, request] of [
          ['bare', health],
          ['read', read],
        ] as const) {
          const rate = await measureRate(server.url, () => request, roundMs)
          // The first round warms up.
          if (round > 0) received[kind] += rate / rounds
        }
      }
      const reference = { name: 'bare handler', perSecond: received.bare }
      return [share(`signed read through the console’s API, ${connections} connections`, received.read, reference, 0.6)]
    } finally {
      await server.stop()
    }
  } finally {
    await stub.terminate()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The cookies of a demo viewer's session. */
async function signIn(url: string): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const response = await fetch(`${url}/api/auth/callback/demo`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(csrf), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, staffId: '5d1c7a52-0000-4000-8000-000000000001' }),
  })
  if (response.status !== 302) throw new Error(`signing in returned ${response.status}`)
  return cookiesOf(response)
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}
