import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { signRequest } from '#lib/signing/request-token.ts'
import { startServer, type ServiceAccess } from '../server.ts'
import { createServiceCaller, listCards } from '../service-caller.ts'
import { share, type Figure } from './figure.ts'
import { connections, measureRate, type LoadRequest } from './load.ts'

const roundMs = 4_000
const rounds = 3

/** Signed requests to the built-in service beside a bare route handler of the same build, in turns. */
export async function measureService(): Promise<Figure[]> {
  const server = await startServer({ settings: { SANDBOX_RATE_LIMIT_PER_MINUTE: '0' } })
  try {
    const { access } = server
    const cards = await activeCards(access)
    const health: LoadRequest = { method: 'GET', path: '/api/health' }
    const reads = cards.map(({ cardAccountId, cardId }) => [read(cardAccountId, cardId)])
    const changes = cards.map((card) => [change('lock', card), change('unlock', card)])
    const turns: number[] = []
    const kinds = {
      bare: async () => () => health,
      read: () => signedRequests(access, reads, []),
      change: () => signedRequests(access, changes, turns),
    }
    const received = { bare: 0, read: 0, change: 0 }
    for (let round = 0; round <= rounds; round += 1) {
      for (const kind of ['bare', 'read', 'change'] as const) {
        const rate = await measureRate(new URL(access.baseUrl).origin, await kinds[kind](), roundMs)
        // The first round warms up.
        if (round > 0) received[kind] += rate / rounds
      }
    }
    const reference = { name: 'bare handler', perSecond: received.bare }
    return [
      share(`signed read of the service, ${connections} connections`, received.read, reference, 0.5),
      share(`signed state change, ${connections} connections`, received.change, reference, 0.25),
    ]
  } finally {
    await server.stop()
  }
}

type Card = { cardAccountId: string; cardId: string }
type Unsigned = { method: 'GET' | 'POST'; path: string; body?: string }

function read(cardAccountId: string, cardId: string): Unsigned {
  return { method: 'GET', path: `/service/v1/cards?${new URLSearchParams({ cardAccountId, cardId })}` }
}

function change(action: 'lock' | 'unlock', card: Card): Unsigned {
  return { method: 'POST', path: `/service/v1/cards/${action}`, body: JSON.stringify(card) }
}

/**
 * Each connection repeats its own requests in turn, each signed once: a token is valid for longer than a round. `turns`
 * continues from round to round: a card that was locked at the end of one round is unlocked first in the next.
 */
async function signedRequests(
  access: ServiceAccess,
  requests: Unsigned[][],
  turns: number[],
): Promise<(connection: number) => LoadRequest> {
  const privateKey = createPrivateKey(readFileSync(access.privateKeyFile, 'utf8'))
  const signed = await Promise.all(
    requests.map((ofConnection) =>
      Promise.all(
        ofConnection.map(async ({ method, path, body }): Promise<LoadRequest> => {
          const bytes = body === undefined ? null : Buffer.from(body)
          const now = Date.now() / 1000
          const token = await signRequest({
            accessKey: access.accessKey,
            privateKey,
            method,
            uri: path,
            body: bytes,
            now,
          })
          const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
          return { method, path, headers, ...(body ? { body } : {}) }
        }),
      ),
    ),
  )
  return (connection) => {
    const ofConnection = signed[connection] ?? []
    const turn = turns[connection] ?? 0
    turns[connection] = turn + 1
    const request = ofConnection[turn % ofConnection.length]
    if (!request) throw new Error('there is a request for every connection')
    return request
  }
}

/** A card for each connection, each of another account, so that no two wait for one row. */
async function activeCards(access: ServiceAccess): Promise<Card[]> {
  const service = createServiceCaller(access)
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  const found: Card[] = []
  for (const { id: cardAccountId } of (body as { cardaccounts: { id: string }[] }).cardaccounts) {
    const active = (await listCards(service, cardAccountId)).find(({ status }) => status === 'active')
    if (active) found.push({ cardAccountId, cardId: active.id })
    if (found.length === connections) return found
  }
  throw new Error('the seed has an active card in sixteen accounts')
}
