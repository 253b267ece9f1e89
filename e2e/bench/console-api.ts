import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { connect } from '#lib/db/connection.ts'
import { runningDatabaseUrl } from '#lib/launch/database.ts'
import { generateKeyPair } from '#lib/signing/keys.ts'
import { startServer } from '../server.ts'
import { signInCookie } from '../sign-in-by-cookie.ts'
import { buildMinimalRoute } from './build-minimal-route.ts'
import type { Desk } from './desk.ts'
import { share, type Figure } from './figure.ts'
import { connections, measureInTurns, type LoadRequest } from './load.ts'
import type { MinimalReadSettings } from './minimal-read.ts'

/**
 * Reads of the console's API, each of which needs a signed response of a service that responds at once, beside a minimal handler
 * that does no more than that: as a route handler of Next, which the console's reads are, and without Next. Each connection reads an account of its own; then all of them read one account, as people do
 * who look at the same page.
 */
export async function measureConsoleApi({ extent }: Desk): Promise<Figure[]> {
  const stub = new Worker(new URL('./stub-service.ts', import.meta.url))
  const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  try {
    const [port] = (await once(stub, 'message')) as [number]
    const service = {
      serviceUrl: `http://127.0.0.1:${port}/v1`,
      accessKey: randomUUID(),
      privateKey: (await generateKeyPair()).privateKey,
    }
    const server = await startServer({
      dataDir,
      settings: {
        SERVICE_SANDBOX_URL: service.serviceUrl,
        SERVICE_SANDBOX_ACCESS_KEY: service.accessKey,
        SERVICE_SANDBOX_PRIVATE_KEY: service.privateKey,
      },
    })
    try {
      const headers = { host: `localhost:${server.port}`, cookie: await signInCookie(server.url, 'viewer') }
      const databaseUrl = runningDatabaseUrl(dataDir)
      const settings = { ...service, databaseUrl, sessionId: await sessionIn(databaseUrl) }
      await buildMinimalRoute()
      await using minimal = await startMinimal(new URL('./minimal-handler.ts', import.meta.url), settings)
      await using route = await startMinimal(new URL('./minimal-route.ts', import.meta.url), settings)
      const accounts = Array.from({ length: connections }, () => randomUUID())
      const read = (cardAccountId: string | undefined): LoadRequest => ({
        method: 'GET',
        path: `/api/sandbox/card-accounts/${cardAccountId}/transactions`,
        headers,
      })
      const ofService = (connection: number): LoadRequest => ({
        method: 'GET',
        path: `/cardaccounts/transactions?cardAccountId=${accounts[connection]}`,
      })
      const perSecond = await measureInTurns(extent, {
        bare: { origin: server.url, prepare: () => () => ({ method: 'GET', path: '/api/health', headers }) },
        minimal: { origin: minimal.url, prepare: () => ofService },
        route: { origin: route.url, prepare: () => ofService },
        own: { origin: server.url, prepare: () => (connection) => read(accounts[connection]) },
        same: { origin: server.url, prepare: () => () => read(accounts[0]) },
      })
      const byNode = { name: 'minimal handler of Node', perSecond: perSecond.minimal }
      const byNext = { name: 'minimal route handler of Next', perSecond: perSecond.route }
      const bare = { name: 'bare handler', perSecond: perSecond.bare }
      return [
        share(`signed reads through the console’s API, ${connections} connections`, perSecond.own, byNext, 0.85),
        share(`signed reads through the console’s API, ${connections} connections`, perSecond.own, byNode, 0.85),
        share('the same read of all connections', perSecond.same, byNode, 0.85),
        share('the same read of all connections', perSecond.same, bare, 0.43),
      ]
    } finally {
      await server.stop()
    }
  } finally {
    await stub.terminate()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Minimal = AsyncDisposable & { url: string }

async function startMinimal(program: URL, settings: MinimalReadSettings): Promise<Minimal> {
  const env = { ...process.env, NODE_ENV: 'production' as const, MINIMAL_READ: JSON.stringify(settings) }
  const child = fork(program, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [port] = (await once(child, 'message')) as [number]
  const stop = async () => {
    child.kill()
    await once(child, 'exit')
  }
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop }
}

async function sessionIn(databaseUrl: string): Promise<string> {
  const db = connect(databaseUrl, { max: 1 })
  try {
    const { rows } = await db.$client.query<{ id: string }>('select id from console.sessions limit 1')
    if (!rows[0]) throw new Error('somebody has signed in')
    return rows[0].id
  } finally {
    await db.$client.end()
  }
}
