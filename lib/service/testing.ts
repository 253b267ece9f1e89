import { createPrivateKey, randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import type { Database } from '#lib/db/connection.ts'
import { openTestDatabase } from '#lib/db/testing.ts'
import type { Connection } from '#lib/shared/connections.ts'
import { seal } from '#lib/shared/sealing.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { registerAccessKey } from './access-keys.ts'
import { handleControl } from './control/handle.ts'
import { handleService } from './handle.ts'
import { requestsLogged } from './request-log/request-log.ts'
import { seedService } from './seed/seed.ts'
import { boundTo } from './service-keys.ts'
import { servicePrefix, type ServiceSettings } from './service-settings.ts'
import type { Service } from './service.ts'
import { serviceKeys } from './tables/runtime.ts'
import { attempted } from './webhooks/testing-attempts.ts'
import type { Transport } from './webhooks/transport.ts'

export const testCardNumberKey = Buffer.alloc(32, 7)

/** A caller of a test: a registered access key with its private key. */
export type Caller = { accessKey: string; privateKeyPem: string }

/** The service on a database of its own, as callers see it. */
export type TestService = {
  service: Service
  databaseUrl: string
  caller: Caller
  /** Sends a request below the base address; authenticated by HTTP Basic unless `headers` says otherwise. */
  send: (method: string, path: string, options?: SendOptions) => Promise<TestResponse>
  /** Sends a well-formed request of an endpoint. */
  call: (name: EndpointName, input?: CallInput) => Promise<TestResponse>
  /** Sends a call to the control plane. */
  control: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<TestResponse>
  close: () => Promise<void>
}

export type SendOptions = {
  body?: BodyInit | null
  headers?: Record<string, string>
  connection?: Partial<Connection>
}
export type CallInput = {
  query?: Record<string, string | readonly string[]>
  params?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}
export type TestResponse = {
  status: number
  headers: Headers
  text: string
  json: ReturnType<typeof JSON.parse>
  isDropped: boolean
}

/** What a test looks at of a response that arrived. */
export async function readTestResponse(response: Response): Promise<TestResponse> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return { status, headers, text, json: isJson ? JSON.parse(text) : null, isDropped: false }
}

export function basic(accessKey: string): string {
  return `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`
}

/** The Authorization header of a request that the caller signs now; `target` is path and query of its request line. */
export async function bearer(
  { accessKey, privateKeyPem }: Caller,
  method: string,
  target: string,
  body: string | null = null,
): Promise<string> {
  const bytes = body === null ? null : Buffer.from(body)
  const privateKey = readPrivateKey(privateKeyPem)
  return `Bearer ${await signRequest({ accessKey, privateKey, method, uri: target, body: bytes, now: Date.now() / 1000 })}`
}

/** The target of an endpoint's request: its path with parameters and query. */
export function toTarget(name: EndpointName, { query = {}, params = {} }: CallInput = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) for (const item of [value].flat()) search.append(key, String(item))
  const path = endpointRow(name).path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(params[parameter] ?? ''),
  )
  return search.size > 0 ? `${path}?${search}` : path
}

const seedOf = (cardAccounts: number) => ({
  name: `seed of ${cardAccounts}`,
  write: (db: Database) => seedService(db, { cardAccounts, now: new Date(), cardNumberKey: testCardNumberKey }),
})

/** Opens a service with a registered caller and, where `seeded` is given, that many accounts of the demonstration data. */
export async function openTestService(
  options: { settings?: Partial<ServiceSettings>; seeded?: number; transport?: Transport } = {},
): Promise<TestService> {
  const { seeded } = options
  const { db, databaseUrl, close } = await openTestDatabase(seeded === undefined ? undefined : seedOf(seeded))
  const accessKey = randomUUID()
  const { publicKey, privateKey } = testKeyPair
  const settings: ServiceSettings = {
    hasGivenWebhookKey: false,
    baseUrl: `http://service.test${servicePrefix}`,
    acceptsBasic: true,
    webhookHosts: [],
    startsAt: null,
    ownAccounts: [],
    acceptsLoopbackWebhooks: true,
    rateLimitPerMinute: 0,
    seededCardAccounts: seeded ?? 1,
    cardNumberKey: testCardNumberKey,
    previousCardNumberKey: null,
    trustedProxyHops: 0,
    consoleInboxUrl: 'http://console.test/api/webhooks/inbox/sandbox',
    ...options.settings,
  }
  // Every receiver takes its deliveries, and no socket is opened, unless a test says otherwise.
  const service: Service = { db, settings, transport: options.transport ?? (async () => attempted(true)) }
  await storeWebhookKey(db, settings.cardNumberKey)
  await registerAccessKey(db, { id: accessKey, name: 'test', publicKeyPem: publicKey })

  const responseOf = async (
    handle: typeof handleService,
    method: string,
    target: string,
    { body = null, headers = {}, connection }: SendOptions,
  ): Promise<TestResponse> => {
    let isDropped = false
    const request = new Request(`http://service.test${target}`, {
      method,
      body,
      headers: { authorization: basic(accessKey), ...headers },
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    const socket = { destroy: () => (isDropped = true) } as unknown as Socket
    const response = await handle(request, { remoteAddress: '127.0.0.1', target, socket, ...connection }, service)
    return { ...(await readTestResponse(response)), isDropped }
  }
  const json = { 'content-type': 'application/json' }

  return {
    service,
    databaseUrl,
    caller: { accessKey, privateKeyPem: privateKey },
    send: (method, path, sent = {}) => responseOf(handleService, method, `${servicePrefix}${path}`, sent),
    call: (name, input = {}) => {
      const { method } = endpointRow(name)
      const body = method === 'POST' ? JSON.stringify(input.body ?? {}) : null
      return responseOf(handleService, method, `${servicePrefix}${toTarget(name, input)}`, {
        body,
        headers: { ...(body === null ? {} : json), ...input.headers },
      })
    },
    control: (method, path, body, headers) =>
      responseOf(handleControl, method, `/service/control${path}`, {
        body: body === undefined ? null : JSON.stringify(body),
        headers: { ...(body === undefined ? {} : json), ...headers },
      }),
    close: async () => {
      await requestsLogged(db)
      await close()
    },
  }
}

/** Making the key of the deliveries takes a while, so that tests have the same one. */
async function storeWebhookKey(db: Database, cardNumberKey: Buffer): Promise<void> {
  const name = 'webhook-signatures'
  const der = createPrivateKey(testKeyPair.privateKey).export({ type: 'pkcs8', format: 'der' })
  await db.insert(serviceKeys).values({ name, value: seal(cardNumberKey, der, boundTo(name)), isSealed: true })
}

/** Opens a service that is closed when the running test ends. */
export async function testService(options: Parameters<typeof openTestService>[0] = {}): Promise<TestService> {
  const opened = await openTestService(options)
  onTestFinished(opened.close)
  return opened
}
