import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { encode } from 'next-auth/jwt'
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { Role } from '#lib/auth/permissions.ts'
import { openSession } from '#lib/auth/session.ts'
import { ensureDemoStaff, listDemoStaff } from '#lib/auth/staff.ts'
import { sessionCookieName } from '#lib/auth/token.ts'
import type { Staff } from '#lib/auth/types.ts'
import { createServiceClient, type ServiceClient } from '#lib/client/service-client.ts'
import { endpointNames, endpointRow } from '#lib/contract/endpoints.ts'
import type { Database, PoolName } from '#lib/db/connection.ts'
import { deviationsWritten } from '#lib/environments/deviations.ts'
import { serviceHooks } from '#lib/environments/environments.ts'
import { requestsWritten } from '#lib/environments/request-log.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { stopBulkJobs } from '#lib/operations/bulk/run.ts'
import { stopScenarioRuns } from '#lib/qa/lab/scenario-runs.ts'
import { handleControl } from '#lib/service/control/handle.ts'
import { handleService } from '#lib/service/handle.ts'
import { handleSandbox } from '#lib/service/sandboxes/handle.ts'
import { controlPrefix, sandboxesPrefix, servicePrefix, type ServiceSettings } from '#lib/service/service-settings.ts'
import { openTestService, type TestService } from '#lib/service/testing.ts'
import { consoleSettings, type ConsoleSettings } from '#lib/settings/console-settings.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { identityReadsDone } from '../identity/rejections.ts'
import { applyingDone } from '../inbox/apply.ts'
import { inboxCountsWritten } from '../inbox/counts.ts'
import '../operation-table.ts'
import { setCookie } from './next-headers.ts'

type Globals = typeof globalThis & {
  carddeskDatabases?: Map<PoolName, Database> | undefined
  carddeskConsoleSettings?: ConsoleSettings | undefined
  carddeskServices?: Map<string, ServiceClient> | undefined
  carddeskServiceHealth?: unknown
  carddeskCardReading?: unknown
  carddeskCachedSums?: unknown
  carddeskNewestPages?: unknown
  carddeskReadingPauses?: unknown
  carddeskFeeRequests?: unknown
  carddeskEmbedRequests?: unknown
}

/** The console and the built-in service on a database of their own, the service behind a real HTTP server. */
export type TestConsole = {
  db: Database
  databaseUrl: string
  service: TestService
  /** Requests that reached the service, by path, since the start or `requests.clear()`. `get` takes the path of an endpoint. */
  requests: Map<string, number>
  /**
   * What the service's server does before it handles a request (it waits, or responds itself and returns true), and the
   * response that it sends instead of the service's own, once the service has handled the request.
   */
  intercept: {
    before?: (request: IncomingMessage, response: ServerResponse, body: string) => Promise<boolean> | boolean
    after?: (request: IncomingMessage) => Response | null
  }
  signIn: (role: Role | null) => Promise<Staff | null>
  /** Makes one person act in this test, whatever the role. */
  signInAs: (staffId: string) => Promise<void>
  stopService: () => Promise<void>
  /** Returns again, at the same address. */
  startService: () => Promise<void>
}

export type ConsoleOptions = {
  seeded?: number
  settings?: Partial<ConsoleSettings>
  serviceSettings?: Partial<ServiceSettings>
}

/** A console for the running test alone. */
export async function openConsole(options: ConsoleOptions = {}): Promise<TestConsole> {
  const { desk, enter, close } = await makeConsole(options)
  enter()
  onTestFinished(close)
  return desk
}

/**
 * One console for the tests of a file, some ten times as fast as one for each. Every test begins signed out, with no
 * request counted and nothing intercepted, but finds in the database what those before it left there. A test among them
 * may open one of its own.
 */
export function shareConsole(options: ConsoleOptions = {}): TestConsole {
  const shared = {} as TestConsole
  let made: MadeConsole | undefined
  beforeAll(async () => {
    made = await makeConsole(options)
    Object.assign(shared, made.desk)
  })
  beforeEach(() => made?.enter())
  afterEach(() => workDone())
  afterAll(() => made?.close())
  return shared
}

type MadeConsole = {
  desk: TestConsole
  /** Makes it the console of this process. */
  enter: () => void
  close: () => Promise<void>
}

/** The client as it is, but for how long it waits before it tries again. */
const impatient = {
  circuitBreaker: { openMs: 200 },
  surroundings: {
    pause: (durationMs: number, signal: AbortSignal | undefined) =>
      wait(Math.min(durationMs, 10), undefined, { signal }),
  },
}

const endpointPaths = new Set<string>(endpointNames.map((name) => endpointRow(name).path))

async function makeConsole(options: ConsoleOptions): Promise<MadeConsole> {
  const service = await openTestService({ seeded: options.seeded ?? 12, settings: options.serviceSettings ?? {} })
  const requests = new Map<string, number>()
  const countOf = requests.get.bind(requests)
  requests.get = (path) => {
    if (!endpointPaths.has(path)) throw new Error(`no endpoint has the path ${path}, so no request is ever counted`)
    return countOf(path)
  }
  const intercept: TestConsole['intercept'] = {}
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? ''
    const path = new URL(target, 'http://service.test').pathname.slice(servicePrefix.length)
    requests.set(path, (countOf(path) ?? 0) + 1)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (await intercept.before?.(request, response, Buffer.concat(chunks).toString())) return
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
    const body = request.method === 'GET' ? null : Buffer.concat(chunks)
    const sent = new Request(`http://service.test${target}`, { method: request.method ?? 'GET', headers, body })
    const { socket } = request
    const handle = target.startsWith(sandboxesPrefix)
      ? handleSandbox
      : target.startsWith(controlPrefix)
        ? handleControl
        : handleService
    const own = await handle(sent, { remoteAddress: '127.0.0.1', target, socket }, service.service)
    const received = intercept.after?.(request) ?? own
    if (socket.destroyed) return
    response.writeHead(received.status, Object.fromEntries(received.headers))
    response.end(Buffer.from(await received.arrayBuffer()))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  // One database for both, as `npm start` has it: neither ever reads the other's schema.
  const {
    databaseUrl,
    service: { db },
  } = service
  const clients: NonNullable<Globals['carddeskServices']> = new Map()
  const settings: ConsoleSettings = {
    isDemo: true,
    consoleUrl: 'http://127.0.0.1:3000',
    sessionSecret: 'a secret of the tests that is long enough',
    sealingKey: Buffer.alloc(32, 3),
    previousSealingKey: null,
    previousSessionSecret: null,
    services: {
      sandbox: {
        baseUrl: `http://127.0.0.1:${port}${servicePrefix}`,
        accessKey: service.caller.accessKey,
        privateKey: service.caller.privateKeyPem,
      },
      production: null,
    },
    webhookKeys: { sandbox: null, production: null },
    webhookIds: { sandbox: [], production: [] },
    builtInServiceOrigin: null,
    executesPayouts: { sandbox: true, production: false },
    bulkRowsPerSecond: 1000,
    oidc: null,
    admission: { adminEmails: [], groupRoles: [], emailDomains: [] },
    openMetadataKeys: ['department', 'region'],
    idleMs: 15 * minuteMs,
    stepUp: 'optional',
    stepUpPayouts: {},
    trustedProxyHops: 0,
    embedOrigins: ['https://help.example.com'],
    demoHelpDesk: null,
    ...options.settings,
  }
  const enter = () => {
    const globals = globalThis as Globals
    process.env.DATABASE_URL = databaseUrl
    globals.carddeskDatabases = new Map((['console', 'service', 'background'] as const).map((name) => [name, db]))
    globals.carddeskServices = clients
    const { sandbox } = settings.services
    if (sandbox && !clients.has('sandbox')) {
      clients.set('sandbox', createServiceClient({ ...sandbox, ...impatient, ...serviceHooks('sandbox') }))
    }
    globals.carddeskServiceHealth = new Map()
    delete globals.carddeskCardReading
    delete globals.carddeskCachedSums
    delete globals.carddeskNewestPages
    delete globals.carddeskReadingPauses
    delete globals.carddeskFeeRequests
    delete globals.carddeskEmbedRequests
    globals.carddeskConsoleSettings = { ...settings }
    setCookie(sessionCookieName(settings), null)
    requests.clear()
    delete intercept.before
    delete intercept.after
  }
  await ensureDemoStaff(db)

  const stopService = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  const close = async () => {
    await workDone()
    for (const client of clients.values()) await client.close()
    await stopService()
    await service.close()
  }
  const startService = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const desk: TestConsole = {
    startService,
    db,
    databaseUrl,
    service,
    requests,
    intercept,
    signIn: (role) => signIn(db, role),
    signInAs: (staffId) => signInAs(db, staffId),
    stopService,
  }
  return { desk, enter, close }
}

/** What the console does in the background ends: the jobs are stopped, the rest is awaited. */
async function workDone(): Promise<void> {
  await stopBulkJobs()
  await stopScenarioRuns()
  await readingsDone()
  await applyingDone()
  await identityReadsDone()
  await inboxCountsWritten()
  await notificationsWritten()
  await deviationsWritten()
  await requestsWritten()
}

/** Makes a person of that role act in this test; null signs out. */
async function signIn(db: Database, role: Role | null): Promise<Staff | null> {
  const settings = consoleSettings()
  const name = sessionCookieName(settings)
  const member = (await listDemoStaff(db)).find((demo) => demo.role === role)
  if (!member) {
    setCookie(name, null)
    return null
  }
  await signInAs(db, member.id)
  return member
}

async function signInAs(db: Database, staffId: string): Promise<void> {
  const settings = consoleSettings()
  const sessionId = await openSession(db, staffId)
  setCookie(sessionCookieName(settings), await encode({ token: { sessionId }, secret: settings.sessionSecret }))
}
