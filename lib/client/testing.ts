import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { decodeJwt, type JWTPayload } from 'jose'
import { onTestFinished } from 'vitest'
import { readPrivateKey, readPublicKey } from '#lib/signing/keys.ts'
import { verifyRequest } from '#lib/signing/request-token.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import type { ServiceClientOptions } from './client-options.ts'
import { createServiceClient, type ServiceClient } from './service-client.ts'

export const accessKey = '3f0c9a52-7f0e-4b7e-9d5e-0f6f2f3a1b77'
export const privateKey = readPrivateKey(testKeyPair.privateKey)
const publicKey = readPublicKey(testKeyPair.publicKey)

type Received = {
  method: string
  uri: string
  headers: IncomingHttpHeaders
  body: Buffer
  token: string
  claims: JWTPayload
}
export type Respond = (response: ServerResponse, request: Received, count: number) => void

export type StubService = { baseUrl: string; received: Received[]; sockets: Set<Socket>; stop: () => Promise<void> }

/** A service on a port of its own that verifies every token as the contract says, then responds as the test says. */
export async function stubService(
  respond: Respond,
  wallMs: () => number = Date.now,
  maxHeaderSize = 16 * 1024,
): Promise<StubService> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ maxHeaderSize }, async (message, response) => {
    const body = await buffer(message)
    const token = (message.headers.authorization ?? '').replace('Bearer ', '')
    const { method = '', url: uri = '', headers } = message
    const now = Math.floor(wallMs() / 1000)
    const verified = await verifyRequest({ token, method, uri, body, now, findPublicKey: () => publicKey })
    received.push({ method, uri, headers, body, token, claims: verified.ok ? decodeJwt(token) : {} })
    response.setHeader('x-request-id', `request-${received.length}`)
    if (!verified.ok) return json(response, 401, verified.error)
    const request = received.at(-1)
    if (request) respond(response, request, received.length)
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/service/v1`, received, sockets, stop }
}

/** Responds to request n with the n-th of these, and with the last one from then on. */
export function responses(...responds: Respond[]): Respond {
  return (response, request, count) => responds[Math.min(count, responds.length) - 1]?.(response, request, count)
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export const pong: Respond = (response) => json(response, 200, { message: 'pong' })
export const drop: Respond = (response) => response.socket?.destroy()
export const silence: Respond = () => undefined
export const status =
  (status: number, code?: string, headers?: Record<string, string>): Respond =>
  (response) =>
    json(response, status, { code, message: `answer ${status}` }, headers)

/** Time that moves only when a test or a pause moves it; `random` is 1/2. */
export function testTime() {
  const time = { ms: 1_000_000, pauses: [] as number[] }
  return {
    time,
    surroundings: {
      monotonicMs: () => time.ms,
      random: () => 0.5,
      pause: async (durationMs: number) => {
        time.pauses.push(durationMs)
        time.ms += durationMs
      },
    },
  }
}

export function testClient(
  service: { baseUrl: string },
  options: Omit<Partial<ServiceClientOptions>, 'baseUrl'> = {},
): ServiceClient {
  const { surroundings } = testTime()
  const client = createServiceClient({ baseUrl: service.baseUrl, accessKey, privateKey, surroundings, ...options })
  onTestFinished(() => client.close())
  return client
}

/** A card as the contract has it. */
export const card = {
  id: '1d2c3b4a-0000-4000-8000-000000000001',
  cardAccountId: '8b9f9a5e-5a0e-4a39-9c1e-2d1f7a0c1111',
  xid: null,
  xmetadata: null,
  status: 'locked',
  embossedName: 'CHAN TAI MAN',
  network: 'card_network_1',
  product: {
    id: '1d2c3b4a-0000-4000-8000-000000000002',
    name: 'Corporate',
    imageUrl: '/card.png',
    cardType: 'virtual',
    cardImageDetails: {
      cardOrientation: 'LANDSCAPE',
      cardWidth: '1',
      cardHeight: '1',
      cardNameFontSize: '1',
      cardNameFontWeight: '1',
      cardNameLineHeight: '1',
      cardNameLetterSpacing: '1',
      cardNamePosition: 'left',
      cardNameCoordinates: [1, 2],
      cardNameColor: '#fff',
    },
  },
  expiryMonth: 1,
  expiryYear: 2030,
  last4: '1234',
  replacedBy: null,
  cardLimit: 1,
  dailyAtmLimit: 1,
  dailyPurchaseLimit: 1,
  dailyLimit: 1,
  singleTransactionLimit: 1,
  availableLimit: 1,
  cardPresentLimit: 1,
  cardNotPresentLimit: 1,
  mobile: null,
  cardEmail: null,
  createdAt: null,
}

export const cardTarget = { cardAccountId: card.cardAccountId, cardId: card.id }
