import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { startServer, type StartedServer } from '#e2e/server.ts'
import { roles, type Role } from '#lib/auth/permissions.ts'
import { pidFilePath, pidIn } from '#lib/db/testing-postmaster.ts'
import { basic } from '#lib/service/testing.ts'

/** A server may have to make the build first, on a machine that does other things as well. */
export const startTimeoutMs = 20 * 60_000

export type ServerUnderTest = StartedServer & {
  /** The cookies of somebody who is signed in. */
  cookie: string
  /** The status of a page or an API route, for somebody who is signed in; 0 where no response comes. */
  visit: (path: string) => Promise<number>
  /** Its text. */
  read: (path: string) => Promise<string>
  /** Calls the built-in service with the key of the access file. */
  call: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<{ status: number; text: string }>
  /** A session at its embedded PostgreSQL. */
  connect: () => Promise<Client>
  postgresPid: () => number
  residentMegabytes: () => number
}

/** The production server with an embedded PostgreSQL and a signed-in person. The caller stops it, and removes a `dataDir` of its own. */
export async function startTestServer(
  settings: Record<string, string> = {},
  dataDir?: string,
): Promise<ServerUnderTest> {
  const server = await startServer({
    settings: { SANDBOX_RATE_LIMIT_PER_MINUTE: '0', ...settings },
    ...(dataDir ? { dataDir } : {}),
  })
  const cookie = await signIn(server.url, 'operations')
  const authorization = basic(server.access.accessKey)
  const postgresPort = () => Number(readFileSync(pidFilePath(server.dataDir), 'utf8').split('\n')[3])
  const get = async (target: string) => {
    const response = await fetch(`${server.url}${target}`, { headers: { cookie }, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  return {
    ...server,
    cookie,
    visit: (target) =>
      get(target).then(
        ({ status }) => status,
        () => 0,
      ),
    read: async (target) => (await get(target)).text,
    call: async (method, target, body) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      try {
        const response = await fetch(`${server.access.baseUrl}${target}`, { method, headers, ...init })
        return { status: response.status, text: await response.text() }
      } catch {
        return { status: 0, text: '' }
      }
    },
    connect: async () => {
      const password = readFileSync(path.join(server.dataDir, 'postgres-password'), 'utf8').trim()
      const client = new Client({
        host: '127.0.0.1',
        port: postgresPort(),
        user: 'carddesk',
        password,
        database: 'carddesk',
        application_name: 'the test',
        connectionTimeoutMillis: 2_000,
      })
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    postgresPid: () => pidIn(server.dataDir),
    residentMegabytes: () => residentMegabytes(server.process.pid ?? 0),
  }
}

async function signIn(url: string, role: Role): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const staffId = `5d1c7a52-0000-4000-8000-00000000000${roles.indexOf(role) + 1}`
  const signedIn = await fetch(`${url}/api/auth/callback/demo`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(csrf) },
    body: new URLSearchParams({ csrfToken, staffId }),
  })
  if (signedIn.status !== 302) throw new Error(`signing in was answered ${signedIn.status}`)
  return [cookiesOf(csrf), cookiesOf(signedIn)].join('; ')
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

function residentMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`
  const kilobytes = existsSync(file)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()
  return Number(kilobytes) / 1024
}
