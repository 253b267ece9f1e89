import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test as base } from '@playwright/test'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { freePort } from '#lib/db/free-port.ts'
import { pidIn } from '#lib/db/testing-postmaster.ts'
import { openCollector } from '#lib/launch/testing-collector.ts'
import { sendAction } from './server-actions.ts'
import { StartFailure, startServer, type StartedServer } from './server.ts'
import { createServiceCaller, findCard, listCards } from './service-caller.ts'
import { signInCookie } from './sign-in-by-cookie.ts'

type Start = (settings?: Record<string, string>) => Promise<StartedServer>

/** Servers on one folder, stopped when the test ends. */
const test = base.extend<{ dataDir: string; start: Start; postgresUrl: string }>({
  dataDir: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-start-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  start: async ({ dataDir }, use) => {
    const started: StartedServer[] = []
    await use(async (settings = {}) => {
      const server = await startServer({ settings, dataDir: settings.DATA_DIR ?? dataDir })
      started.push(server)
      return server
    })
    for (const server of started) await server.stop()
  },
  postgresUrl: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-own-postgres-'))
    const postgres = await startEmbeddedPostgres(folder)
    await use(postgres.databaseUrl)
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  },
})

async function failureOf(starting: Promise<unknown>): Promise<{ code: number | null; lines: string[] }> {
  const failure = await starting.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof StartFailure))
    throw new Error('the server was expected to refuse the start', { cause: failure })
  return { code: failure.code, lines: failure.message.split('\n') }
}

/** Locks a card; returns a function that reads whether it is locked, from any server. */
async function lockCard(server: StartedServer): Promise<(from: StartedServer) => Promise<string | undefined>> {
  const service = createServiceCaller(server.access)
  const card = await findCard(service, 'active')
  expect(await service.post('/cards/lock', card)).toMatchObject({ status: 200 })
  return async (from) => {
    const cards = await listCards(createServiceCaller(from.access), card.cardAccountId)
    return cards.find(({ id }) => id === card.cardId)?.status
  }
}

// Each test has a folder of its own. This file is the last of a run, and would leave one worker without work.
test.describe.configure({ mode: 'parallel', timeout: 90_000 })

test('prints the URL and a command for the service, and the command works in a shell', async ({ start, dataDir }) => {
  const server = await start()
  const output = server.output()
  expect(output).toContain(`http://localhost:${server.port}`)
  expect(output).toContain(path.join(dataDir, 'service-access.json'))
  expect(output).not.toContain(server.access.accessKey)
  const curl = /^ +(curl .*)$/m.exec(output)?.[1] ?? ''
  expect(JSON.parse(execFileSync('sh', ['-c', curl], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())).toEqual({
    message: 'pong',
  })
  expect(await server.stop()).toBe(0)
})

test('keeps its secrets in files that their owner alone may read', async ({ start, dataDir }) => {
  const { access } = await start()
  for (const file of [path.join(dataDir, 'service-access.json'), access.privateKeyFile])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(dataDir).mode & 0o077).toBe(0)
})

test('a second start has the keys and the changes of the first', async ({ start }) => {
  const first = await start()
  const statusFrom = await lockCard(first)
  expect(await first.stop()).toBe(0)
  const second = await start()
  expect(second.access.accessKey).toBe(first.access.accessKey)
  expect(await statusFrom(second)).toBe('locked')
})

test('starts after it was killed, with everything that was acknowledged', async ({ start }) => {
  const first = await start()
  const statusFrom = await lockCard(first)
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  expect(await statusFrom(await start())).toBe('locked')
})

test('continues when its database is killed', async ({ start, dataDir }) => {
  const server = await start()
  const statusFrom = await lockCard(server)
  process.kill(pidIn(dataDir), 'SIGKILL')
  await expect.poll(() => statusFrom(server).catch(() => 'no answer'), { timeout: 20_000 }).toBe('locked')
})

test('a second start on the same folder is refused with the process and URL of the first, which keeps running', async ({
  start,
  dataDir,
}) => {
  const first = await start()
  expect(await failureOf(start())).toEqual({
    code: 1,
    lines: [
      `The folder ${dataDir} is in use by process ${first.process.pid}, http://127.0.0.1:${first.port}: stop that first, or set DATA_DIR to another folder.`,
    ],
  })
  expect(await createServiceCaller(first.access).get('/ping')).toMatchObject({ status: 200 })
})

test('a port that is in use is one line', async ({ start, dataDir }) => {
  const first = await start()
  const { code, lines } = await failureOf(start({ PORT: String(first.port), DATA_DIR: path.join(dataDir, 'other') }))
  expect(code).toBe(1)
  expect(lines.at(-1)).toBe(
    `Port ${first.port} on 127.0.0.1 is in use by another program: stop it, or set PORT to another one.`,
  )
})

test('wrong settings are one line each, all at once, before anything starts', async ({ start, dataDir }) => {
  const settings = { HOST: '0.0.0.0', DEMO_CARD_ACCOUNTS: 'many', SANDBOX_RATE_LIMIT: '5' }
  const { code, lines } = await failureOf(start(settings))
  expect(code).toBe(1)
  expect(lines).toHaveLength(3)
  for (const name of Object.keys(settings)) expect(lines.filter((line) => line.startsWith(`${name} `))).toHaveLength(1)
  expect(readdirSync(dataDir)).toEqual([])
})

test('lets a running request finish when it is stopped', async ({ start }) => {
  const server = await start()
  const service = createServiceCaller(server.access)
  await service.control.armFault({ path: '/ping', status: 503, after: true, delayMs: 1500 })
  const running = service.get('/ping')
  await expect.poll(async () => ((await faultsOf(server)) as unknown[]).length).toBe(0)
  expect(await server.stop()).toBe(0)
  expect(await running).toMatchObject({ status: 503 })
})

test('a second Ctrl C ends at once, and the database with it', async ({ start, dataDir }) => {
  const server = await start()
  const service = createServiceCaller(server.access)
  await service.control.armFault({ path: '/ping', status: 503, delayMs: 9000 })
  const running = service.get('/ping').catch(() => 'dropped')
  await expect.poll(async () => ((await faultsOf(server)) as unknown[]).length).toBe(0)
  const exited = once(server.process, 'exit')
  const stopping = once(server.process.stdout ?? server.process, 'data')
  server.process.kill('SIGINT')
  await stopping
  server.process.kill('SIGINT')
  expect(await exited).toEqual([null, 'SIGKILL'])
  expect(await running).toBe('dropped')
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid')
  await expect.poll(() => existsSync(pidFile), { timeout: 10_000 }).toBe(false)
})

test('serves metrics on a port of their own and exports traces', async ({ start }) => {
  const metricsPort = await freePort()
  const collector = await openCollector()
  const server = await start({ METRICS_PORT: String(metricsPort), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const service = createServiceCaller(server.access)
  const card = await findCard(service, 'active')
  const cookie = await signInCookie(server.url, 'operations')
  await service.control.armFault({ path: '/cards/lock', status: 503 })
  const input = { environment: 'sandbox', operationId: randomUUID(), ...card, reason: 'mistake' }
  const locked = await sendAction(server.url, cookie, 'card.lock', input)
  expect(locked).toContain('"state":"done"')
  const page = `/sandbox/card-accounts/${card.cardAccountId}?q=olive`
  expect((await fetch(`${server.url}${page}`, { headers: { cookie } })).status).toBe(200)

  expect((await fetch(`${server.url}/metrics`, { redirect: 'manual' })).status).not.toBe(200)
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const valueOf = (line: string) => {
    const found = metrics.split('\n').find((text) => text.startsWith(`${line} `))
    return found === undefined ? null : Number(found.split(' ').at(-1))
  }
  const lock = 'environment="sandbox",endpoint="lockCard"'
  expect(valueOf(`carddesk_upstream_request_duration_seconds_count{${lock},status="2xx"}`)).toBe(1)
  expect(valueOf(`carddesk_upstream_retries_total{${lock}}`)).toBe(1)
  expect(metrics).toContain('# TYPE carddesk_upstream_errors_total counter')
  expect(valueOf('carddesk_upstream_circuit_open{environment="sandbox"}')).toBe(0)
  for (const queue of ['operations', 'bulk_jobs', 'inbox_events', 'notices'])
    expect(valueOf(`carddesk_queue_depth{queue="${queue}"}`), queue).not.toBeNull()
  expect(valueOf('carddesk_event_lag_seconds')).not.toBeNull()
  expect(valueOf('carddesk_database_connections{pool="console",state="used"}')).not.toBeNull()
  expect(valueOf('carddesk_database_up')).toBe(1)

  expect(await server.stop()).toBe(0)
  const { chainOf } = collector
  const spans = collector.spans()
  const chains = (name: string) => spans.filter((span) => span.name === name).map(chainOf)
  const [action = []] = chains('service lockCard')
  expect(action.slice(0, 3)).toEqual(['service lockCard', 'operation card.lock', 'action card.lock'])
  // Next hands the action to a page that has it.
  expect(action[3]).toMatch(/^POST \/\[environment\]\//)
  const opened = spans.filter(({ name }) => name.startsWith('service ')).flatMap(chainOf)
  expect(opened).toContain('GET /[environment]/card-accounts/[cardAccountId]')
  // The built-in service continues the trace that the request brought along.
  expect(chains('built-in service').some((chain) => chain.includes('operation card.lock'))).toBe(true)
  for (const personal of [card.cardId, card.cardAccountId, 'olive', '@', 'select '])
    expect(collector.text()).not.toContain(personal)
  collector.close()
})

test('runs on a PostgreSQL of its own choice, two servers as one', async ({ start, postgresUrl, dataDir }) => {
  const settings = { DATABASE_URL: postgresUrl }
  const one = await start(settings)
  const other = await start(settings)
  const statusFrom = await lockCard(one)
  expect(await statusFrom(other)).toBe('locked')
  expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false)
})

test('refuses a database that was first used with other keys', async ({ start, postgresUrl, dataDir }) => {
  await (await start({ DATABASE_URL: postgresUrl })).stop()
  const { code, lines } = await failureOf(start({ DATABASE_URL: postgresUrl, DATA_DIR: path.join(dataDir, 'other') }))
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatch(/^This database was first used with other keys \(CARD_NUMBER_KEY, /)
})

test('a DATABASE_URL that does not respond is one line, without its password', async ({ start }) => {
  const port = await freePort()
  const failure = await failureOf(start({ DATABASE_URL: `postgresql://desk:hunter2@127.0.0.1:${port}/desk` }))
  expect(failure).toEqual({
    code: 1,
    lines: [
      `DATABASE_URL: the database desk at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
    ],
  })
})

test('a demo responds to the names of this machine alone', async ({ start, request }) => {
  const server = await start()
  const health = `http://127.0.0.1:${server.port}/api/health`
  expect((await request.get(health)).status()).toBe(200)
  expect((await request.get(health, { headers: { host: 'attacker.example' } })).status()).toBe(421)
})

test('has no built-in service and no docs of it where a real one is connected', async ({ start, request }) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = await start({
    SERVICE_SANDBOX_URL: 'https://sandbox.invalid/v1',
    SERVICE_SANDBOX_ACCESS_KEY: '6f1de4a0-6a7e-4f9b-9d3c-2f1f9f0a3b4c',
    SERVICE_SANDBOX_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    OIDC_ISSUER: 'https://id.invalid',
    OIDC_CLIENT_ID: 'carddesk',
    OIDC_CLIENT_SECRET: 'not a secret',
    NEXTAUTH_SECRET: 'a sentence of more than thirty-two characters',
    NEXTAUTH_URL: 'https://desk.invalid',
  })
  const origin = `http://127.0.0.1:${server.port}`
  for (const path of ['/service/v1/ping', '/service/v1/openapi.json', '/service/control/clock', '/service/docs']) {
    const response = await request.get(`${origin}${path}`)
    expect(response.status(), path).toBe(404)
    expect((await response.json()).message).toContain('SERVICE_SANDBOX_URL connects another one')
  }
})

async function faultsOf({ access }: StartedServer): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${access.accessKey}:`).toString('base64')}`
  const response = (await (await fetch(`${access.controlUrl}/faults`, { headers: { authorization } })).json()) as {
    faults: unknown
  }
  return response.faults
}
