import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { signRequest } from '#lib/signing/request-token.ts'
import type { ServiceAccess } from '../server.ts'
import { createServiceCaller, listCards } from '../service-caller.ts'
import type { Desk } from './desk.ts'
import { share, type Figure } from './figure.ts'
import { connections, measureInTurns, type LoadRequest, type NextRequest } from './load.ts'

/** Of a connection in a round: more than the service can do, within the life of a token. */
const mostChanges = 150

/** Signed requests to the built-in service beside a bare route handler of the same build, in turns. */
export async function measureService({ extent, server }: Desk): Promise<Figure[]> {
  const { access } = await server()
  const { origin } = new URL(access.baseUrl)
  const cards = await activeCards(access)
  const made = cards.map(() => 0)
  const perSecond = await measureInTurns(extent, {
    bare: { origin, prepare: () => () => ({ method: 'GET', path: '/api/health' }) },
    read: { origin, prepare: () => signedReads(access, cards) },
    change: { origin, prepare: () => signedChanges(access, cards, made, extent === 'whole' ? mostChanges : 2) },
  })
  const reference = { name: 'bare handler', perSecond: perSecond.bare }
  return [
    share(`signed read of the service, ${connections} connections`, perSecond.read, reference, 0.55),
    share(`signed state change, ${connections} connections`, perSecond.change, reference, 0.28),
  ]
}

type Card = { cardAccountId: string; cardId: string }
type Unsigned = { method: 'GET' | 'POST'; path: string; body?: string }

function read(cardAccountId: string, cardId: string): Unsigned {
  return { method: 'GET', path: `/service/v1/cards?${new URLSearchParams({ cardAccountId, cardId })}` }
}

function change(action: 'lock' | 'unlock', card: Card): Unsigned {
  return { method: 'POST', path: `/service/v1/cards/${action}`, body: JSON.stringify(card) }
}

/** Each connection repeats a read that is signed once: a token is valid for longer than a round. */
async function signedReads(access: ServiceAccess, cards: readonly Card[]): Promise<NextRequest> {
  const reads = await signed(
    access,
    cards.map(({ cardAccountId, cardId }) => read(cardAccountId, cardId)),
  )
  return (connection) => reads[connection] ?? null
}

/**
 * Each change is signed for itself, since its token counts once. `made` counts those of each connection from round to round: a card
 * that was locked at the end of one round is unlocked first in the next.
 */
async function signedChanges(
  access: ServiceAccess,
  cards: readonly Card[],
  made: number[],
  most: number,
): Promise<NextRequest> {
  const queues = await Promise.all(
    cards.map((card, connection) => {
      const turns = Array.from({ length: most }, (_, turn) => (made[connection] ?? 0) + turn)
      return signed(
        access,
        turns.map((turn) => change(turn % 2 === 0 ? 'lock' : 'unlock', card)),
      )
    }),
  )
  return (connection) => {
    const request = queues[connection]?.shift() ?? null
    if (request) made[connection] = (made[connection] ?? 0) + 1
    return request
  }
}

async function signed(access: ServiceAccess, requests: readonly Unsigned[]): Promise<LoadRequest[]> {
  const privateKey = createPrivateKey(readFileSync(access.privateKeyFile, 'utf8'))
  return Promise.all(
    requests.map(async ({ method, path, body }): Promise<LoadRequest> => {
      const bytes = body === undefined ? null : Buffer.from(body)
      const { accessKey } = access
      const token = await signRequest({ accessKey, privateKey, method, uri: path, body: bytes, now: Date.now() / 1000 })
      const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
      return { method, path, headers, ...(body ? { body } : {}) }
    }),
  )
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
