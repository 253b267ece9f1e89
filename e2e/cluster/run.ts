import { spawn, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { makeBuild } from '#lib/launch/build.ts'
import { actionIds, responseOf } from '../server-actions.ts'
import { freePort, startServer, type StartedServer } from '../server.ts'
import { cookieOf } from '../sign-in-by-cookie.ts'
import { postgresPrograms, startPostgresPair, type PostgresPair } from './postgres.ts'

/**
 * `npm run cluster`: two consoles behind HAProxy on a PostgreSQL with a standby, all under load. The primary database is
 * killed and the standby promoted, then one console is killed and started again. Prints the figures; exit code 1 if an
 * acknowledged charge is missing or doubled, a request hangs, a session ends, or an operation stays open.
 */
const programs = postgresPrograms()
const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((file) => existsSync(file))
if (!programs || !haproxy) {
  console.error('npm run cluster needs two of Debian’s packages: apt-get install postgresql haproxy')
  process.exit(2)
}

const writers = 8
const readers = 4
/** A request that takes longer counts as stuck. */
const stuckMs = 30_000

const Charge = z.object({ cardTransactionId: z.string() })
const Accounts = z.object({
  cardaccounts: z.array(z.object({ id: z.string(), available: z.number().nullable() })),
})
const Cards = z.object({ cards: z.array(z.object({ id: z.string(), status: z.string() })) })

type Load = {
  /** The transaction of each acknowledged charge. */
  acknowledged: string[]
  /** When each successful response arrived, in ms of `performance.now()`. */
  successes: { write: number[]; read: number[] }
  failures: number
  slowestMs: number
  signedOut: number
  stop: () => Promise<void>
}

async function run(folder: string, programsFolder: string, haproxyFile: string): Promise<number> {
  const proxyPort = await freePort()
  const databasePort = await freePort()
  const [primary, standby] = [await freePort(), await freePort()]
  const [one, two] = [await freePort(), await freePort()]
  await makeBuild(console.log, { isServer: false })
  const postgres = await startPostgresPair(programsFolder, path.join(folder, 'postgres'), { primary, standby })
  const proxy = startHaproxy(haproxyFile, folder, { proxyPort, databasePort, primary, standby, consoles: [one, two] })
  const servers: StartedServer[] = []
  try {
    const publicUrl = `http://localhost:${proxyPort}`
    const start = (name: string, port: number) =>
      startServer({
        dataDir: path.join(folder, name),
        settings: {
          PORT: String(port),
          NEXTAUTH_URL: publicUrl,
          DATABASE_URL: `postgresql://carddesk@127.0.0.1:${databasePort}/carddesk`,
          SANDBOX_RATE_LIMIT_PER_MINUTE: '0',
          TRUSTED_PROXY_HOPS: '1',
        },
      })
    mkdirSync(path.join(folder, 'one'))
    servers.push(await start('one', one))
    cpSync(path.join(folder, 'one', 'keys'), path.join(folder, 'two', 'keys'), { recursive: true })
    servers.push(await start('two', two))
    console.log('Running   two consoles, HAProxy, a PostgreSQL with a standby')
    const { accessKey } = servers[0]?.access ?? {}
    const before = await chargeIds(primary)
    const load = await startLoad(publicUrl, accessKey ?? '')
    await delay(10_000)

    const databaseKilled = performance.now()
    await failOver(postgres)
    await delay(20_000)

    const consoleKilled = performance.now()
    servers[0]?.process.kill('SIGKILL')
    await delay(10_000)
    servers[0] = await start('one', one)
    await delay(10_000)

    await load.stop()
    const after = await chargeIds(standby)
    const acknowledged = new Set(load.acknowledged)
    return print(load, {
      databaseKilled,
      consoleKilled,
      missing: acknowledged.difference(after).size,
      doubled: after.difference(before).difference(acknowledged).size,
      open: await openOperations(standby),
    })
  } finally {
    for (const server of servers) await server.stop()
    proxy.kill('SIGTERM')
    await postgres.standby.stop()
    await postgres.primary.stop()
  }
}

async function failOver({ primary, promote }: PostgresPair): Promise<void> {
  await primary.kill()
  promote()
}

function startHaproxy(
  file: string,
  folder: string,
  ports: { proxyPort: number; databasePort: number; primary: number; standby: number; consoles: number[] },
) {
  const config = path.join(folder, 'haproxy.cfg')
  writeFileSync(
    config,
    `global
  maxconn 2000
defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  default-server inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
frontend console
  mode http
  bind 127.0.0.1:${ports.proxyPort}
  option forwardfor
  default_backend consoles
backend consoles
  mode http
  option httpchk GET /api/health
  http-check send hdr Host localhost:${ports.proxyPort}
  option redispatch
  retries 3
  retry-on conn-failure
${ports.consoles.map((port) => `  server console-${port} 127.0.0.1:${port} check`).join('\n')}
listen database
  mode tcp
  bind 127.0.0.1:${ports.databasePort}
  timeout client 1h
  timeout server 1h
  server primary 127.0.0.1:${ports.primary} check
  server standby 127.0.0.1:${ports.standby} check backup
`,
  )
  execFileSync(file, ['-c', '-f', config], { stdio: 'pipe' })
  return spawn(file, ['-db', '-f', config], { stdio: 'ignore' })
}

/** Charges cards through the proxy, each until it is acknowledged, and reads pages as a signed-in person. */
async function startLoad(url: string, accessKey: string): Promise<Load> {
  const authorization = `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`
  const cookie = await cookieOf(url, 'operations')
  const get = async (target: string): Promise<unknown> =>
    (await fetch(`${url}/service/v1${target}`, { headers: { authorization } })).json()
  const { cardaccounts } = Accounts.parse(await get('/cardaccounts?pageSize=60'))
  const cards: { cardAccountId: string; cardId: string }[] = []
  for (const { id, available } of cardaccounts) {
    if ((available ?? 0) < 500 || cards.length === 24) continue
    const active = Cards.parse(await get(`/cards?cardAccountId=${id}`)).cards.find(({ status }) => status === 'active')
    if (active) cards.push({ cardAccountId: id, cardId: active.id })
  }
  const stopping = new AbortController()
  const load: Load = {
    acknowledged: [],
    successes: { write: [], read: [] },
    failures: 0,
    slowestMs: 0,
    signedOut: 0,
    stop: async () => {
      stopping.abort()
      await Promise.all(work)
    },
  }
  const timed = async (request: () => Promise<Response>): Promise<{ status: number; text: string }> => {
    const began = performance.now()
    try {
      const response = await request()
      const text = await response.text()
      return { status: response.status, text }
    } catch {
      return { status: 0, text: '' }
    } finally {
      load.slowestMs = Math.max(load.slowestMs, performance.now() - began)
    }
  }
  const write = async (index: number) => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const card = cards[1 + ((index + round * writers) % (cards.length - 1))]
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const body = JSON.stringify({ ...card, amount: 1, currency: 'HKD' })
      for (;;) {
        const { status, text } = await timed(() =>
          fetch(`${url}/service/v1/cards/simulate-authorization`, { method: 'POST', headers, body }),
        )
        if (status === 200) {
          load.acknowledged.push(Charge.parse(JSON.parse(text)).cardTransactionId)
          load.successes.write.push(performance.now())
          break
        }
        load.failures += 1
        await delay(100)
      }
      await delay(20)
    }
  }
  const read = async () => {
    while (!stopping.signal.aborted) {
      const { status } = await timed(() =>
        fetch(`${url}/api/sandbox/card-accounts`, { headers: { cookie }, redirect: 'manual' }),
      )
      if (status === 200) load.successes.read.push(performance.now())
      else if (status === 401 || status === 302 || status === 307) load.signedOut += 1
      else load.failures += 1
      await delay(50)
    }
  }
  /** Locks and unlocks a card as staff do; the console settles what has no response. */
  const act = async () => {
    const action = actionIds().performCardAction ?? ''
    const card = cards[0]
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const [kind, reason] = round % 2 === 0 ? ['lock', 'lost'] : ['unlock', 'resolved']
      const input = { environment: 'sandbox', operationId: randomUUID(), ...card, reason }
      await responseOf(url, cookie, action, [kind ?? '', input]).catch(() => (load.failures += 1))
      await delay(500)
    }
  }
  const work = [
    ...Array.from({ length: writers }, (_, index) => write(index)),
    ...Array.from({ length: readers }, read),
    act(),
  ]
  return load
}

async function withDatabase<T>(port: number, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: `postgresql://carddesk@127.0.0.1:${port}/carddesk` })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function chargeIds(port: number): Promise<Set<string>> {
  return withDatabase(port, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id::text from service.card_account_transactions')
    return new Set(rows.map(({ id }) => id))
  })
}

async function openOperations(port: number): Promise<number> {
  return withDatabase(port, async (client) => {
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::int as open from console.operations where state in ('sending', 'unknown')`,
    )
    return rows[0]?.open ?? 0
  })
}

/** The longest time without a success that begins within the 30 s after an event, in ms. */
function gapAfter(successes: number[], event: number): number {
  const around = successes.filter((at) => at > event - 1_000 && at < event + 30_000).toSorted((a, b) => a - b)
  return Math.max(0, ...around.slice(1).map((at, index) => at - (around[index] ?? at)))
}

function print(
  load: Load,
  found: { databaseKilled: number; consoleKilled: number; open: number; missing: number; doubled: number },
): number {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const bars: [string, string, boolean][] = [
    ['acknowledged charges', String(load.acknowledged.length), load.acknowledged.length > 100],
    ['acknowledged and missing', String(found.missing), found.missing === 0],
    ['charges without an acknowledgement', String(found.doubled), found.doubled === 0],
    ['console operations still open', String(found.open), found.open === 0],
    ['reads that found the session ended', String(load.signedOut), load.signedOut === 0],
    ['failed attempts, each repeated', String(load.failures), true],
    ['slowest request', seconds(load.slowestMs), load.slowestMs < stuckMs],
    [
      'no write succeeded after the database was killed',
      seconds(gapAfter(load.successes.write, found.databaseKilled)),
      true,
    ],
    [
      'no read succeeded after the database was killed',
      seconds(gapAfter(load.successes.read, found.databaseKilled)),
      true,
    ],
    [
      'no write succeeded after a console was killed',
      seconds(gapAfter(load.successes.write, found.consoleKilled)),
      true,
    ],
    ['no read succeeded after a console was killed', seconds(gapAfter(load.successes.read, found.consoleKilled)), true],
  ]
  for (const [label, figure, holds] of bars) console.log(`${holds ? '  ' : '✗ '}${label.padEnd(52)}${figure}`)
  return bars.every(([, , holds]) => holds) ? 0 : 1
}

const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-cluster-'))
execFileSync('chmod', ['755', folder])
try {
  process.exitCode = await run(folder, programs, haproxy)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
