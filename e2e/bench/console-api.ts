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
import type { Desk } from './desk.ts'
import { share, type Figure } from './figure.ts'
import { connections, measureInTurns, type LoadRequest } from './load.ts'
import type { MinimalHandlerSettings } from './minimal-handler.ts'

/**
 * Reads of the console's API, each of which needs a signed response of a service that responds at once, beside a minimal handler
 * that does no more than that. Each connection reads an account of its own; then all of them read one account, as people do
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
      const minimal = await startMinimalHandler({ ...service, databaseUrl, sessionId: await sessionIn(databaseUrl) })
      try {
        const accounts = Array.from({ length: connections }, () => randomUUID())
        const read = (cardAccountId: string | undefined): LoadRequest => ({
          method: 'GET',
          path: `/api/sandbox/card-accounts/${cardAccountId}/transactions`,
          headers,
        })
        const ofService = (cardAccountId: string | undefined): LoadRequest => ({
          method: 'GET',
          path: `/cardaccounts/transactions?cardAccountId=${cardAccountId}`,
        })
        const perSecond = await measureInTurns(extent, {
          bare: { origin: server.url, prepare: () => () => ({ method: 'GET', path: '/api/health', headers }) },
          minimal: { origin: minimal.url, prepare: () => (connection) => ofService(accounts[connection]) },
          own: { origin: server.url, prepare: () => (connection) => read(accounts[connection]) },
          same: { origin: server.url, prepare: () => () => read(accounts[0]) },
        })
        const reference = { name: 'minimal handler', perSecond: perSecond.minimal }
        const bare = { name: 'bare handler', perSecond: perSecond.bare }
        return [
          share(`signed reads through the console’s API, ${connections} connections`, perSecond.own, reference, 0.85),
          share('the same read of all connections', perSecond.same, reference, 0.85),
          share('the same read of all connections', perSecond.same, bare, 0.43),
        ]
      } finally {
        minimal.stop()
      }
    } finally {
      await server.stop()
    }
  } finally {
    await stub.terminate()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function startMinimalHandler(settings: MinimalHandlerSettings): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL('./minimal-handler.ts', import.meta.url))
  child.send(settings)
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
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
