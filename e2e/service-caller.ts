import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceAccess } from './server.ts'

type ServiceResponse = { status: number; headers: Headers; body: unknown }

/** Calls the built-in service and its control plane as QA would: HTTP Basic with the key from the access file. */
export type ServiceCaller = {
  get: (path: string, query?: Record<string, string>) => Promise<ServiceResponse>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<ServiceResponse>
  control: {
    advanceClock: (duration: string) => Promise<ServiceResponse>
    reset: () => Promise<ServiceResponse>
    /** Fails a request with `status`, or changes its response with `shape`: see docs/sandbox.md. */
    armFault: (fault: {
      path: string
      method?: 'GET' | 'POST'
      status?: number
      code?: string
      message?: string
      shape?: { kind: string } & Record<string, unknown>
      times?: number | 'always'
      after?: boolean
      delayMs?: number
      background?: boolean
    }) => Promise<ServiceResponse>
    disarmFaults: () => Promise<ServiceResponse>
    /** How many requests a path received since then, background requests excluded. At most the last 5,000 count. */
    countRequests: (path: string, sinceMs: number, method?: 'GET' | 'POST') => Promise<number>
    /** Changes modes of the built-in service, until the next reset. */
    setModes: (modes: Record<string, unknown>) => Promise<ServiceResponse>
    chargeFee: (fee: { cardAccountId: string; intent: string; amount: number }) => Promise<ServiceResponse>
    /** Moves the dispute of a transaction to a status of the interface. */
    dispute: (transactionId: string, status: string) => Promise<ServiceResponse>
  }
}

export function createServiceCaller({ baseUrl, controlUrl, accessKey }: ServiceAccess): ServiceCaller {
  const authorization = `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`

  async function call(
    method: string,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ServiceResponse> {
    const response = await fetch(url, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? (JSON.parse(text) as unknown) : null }
  }

  async function countRequests(path: string, sinceMs: number, method: 'GET' | 'POST' = 'GET'): Promise<number> {
    // The service writes its log within a second.
    await delay(1200)
    let count = 0
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = new URLSearchParams({ limit: '200', method, ...(cursor === '' ? {} : { cursor }) })
      const { body } = await call('GET', `${controlUrl}/requests?${query}`)
      const page = body as { requests: { at: string; path: string }[]; nextCursor: string | null }
      const recent = page.requests.filter(({ at }) => Date.parse(at) >= sinceMs)
      count += recent.filter((request) => request.path === path).length
      cursor = recent.length === page.requests.length ? page.nextCursor : null
    }
    return count
  }

  return {
    get: (path, query = {}) => call('GET', `${baseUrl}${path}?${new URLSearchParams(query)}`),
    post: (path, body, headers) => call('POST', `${baseUrl}${path}`, body, headers),
    control: {
      advanceClock: (duration) => call('POST', `${controlUrl}/clock`, { advance: duration }),
      reset: () => call('POST', `${controlUrl}/reset`, {}),
      armFault: (fault) => call('POST', `${controlUrl}/faults`, { times: 1, ...fault }),
      disarmFaults: () => call('DELETE', `${controlUrl}/faults`),
      countRequests,
      setModes: (modes) => call('POST', `${controlUrl}/modes`, modes),
      chargeFee: (fee) => call('POST', `${controlUrl}/fees`, fee),
      dispute: (transactionId, status) => call('POST', `${controlUrl}/disputes`, { transactionId, status }),
    },
  }
}

export type CardOnWire = {
  id: string
  cardAccountId: string
  status: string
  last4: string
  product: { id: string; cardType: string }
}

/** The ids of a seeded card that is in this status now, as the card endpoints take them. */
export async function findCard(
  service: ServiceCaller,
  status: string,
): Promise<{ cardAccountId: string; cardId: string }> {
  const { id: cardId, cardAccountId } = await findCardWhere(service, (card) => card.status === status)
  return { cardAccountId, cardId }
}

async function findCardWhere(service: ServiceCaller, matches: (card: CardOnWire) => boolean): Promise<CardOnWire> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  for (const { id } of (body as { cardaccounts: { id: string }[] }).cardaccounts) {
    const found = (await listCards(service, id)).find(matches)
    if (found) return { ...found, cardAccountId: id }
  }
  throw new Error(`the seed has a card such that ${matches.toString()}`)
}

export async function listCards(service: ServiceCaller, cardAccountId: string): Promise<CardOnWire[]> {
  const { body } = await service.get('/cards', { cardAccountId, pageSize: '100' })
  return (body as { cards: CardOnWire[] }).cards
}

/** A new virtual card of an account that has an active card: unlike those of the seed, no other test replaced it. */
export async function issueCard(service: ServiceCaller): Promise<CardOnWire> {
  const { cardAccountId, product } = await findCardWhere(
    service,
    (card) => card.status === 'active' && card.product.cardType === 'virtual',
  )
  const { status, body } = await service.post('/cards', {
    type: 'virtual',
    cardAccountId,
    productId: product.id,
    embossedName: 'CHAN TAI MAN',
  })
  if (status !== 200) throw new Error(`issuing a card returned ${status}`)
  return body as CardOnWire
}

type Recorder = {
  origin: string
  /** The requests that somebody waited for, and every change: `GET /service/v1/cards?…`. */
  requested: () => string[]
  /** Milliseconds since the last of them. */
  quietMs: () => number
  forget: () => void
  close: () => Promise<void>
}

/** Passes requests on to a service and records them. */
export async function openRecorder(origin: string): Promise<Recorder> {
  let requested: string[] = []
  let lastAt = performance.now()
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming
    if (method !== 'GET' || headers.priority !== 'u=7') {
      requested.push(`${method} ${url}`)
      lastAt = performance.now()
    }
    const passedOn = request(`${origin}${url}`, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    incoming.pipe(passedOn)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested: () => requested,
    quietMs: () => performance.now() - lastAt,
    forget: () => {
      requested = []
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
