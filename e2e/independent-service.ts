import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Json = Record<string, unknown>
type Account = { id: string; name: string; owed: number; status: 'pending' | 'approved' | 'rejected' }
type Entry = { id: string; cardAccountId: string; cardId: string; amount: number; currency: string; status: string }

/**
 * A sandbox that shares no code with Carddesk: the interface's calls that its document shows, with the access key alone. It refuses any
 * field that the document does not name, and has no control plane.
 */
export async function startIndependentService() {
  const accessKey = randomUUID()
  const accounts: Account[] = ['Ada Wong', 'Ben Lau', 'Cleo Ng'].map((name, at) => ({
    id: randomUUID(),
    name,
    owed: at * 40,
    status: 'pending',
  }))
  const cardId = randomUUID()
  const entries: Entry[] = []
  const received: { call: string; body: Json }[] = []

  const accountRecord = ({ id, name, owed, status }: Account): Json => ({
    id,
    name,
    currency: 'HKD',
    accountType: 'credit',
    limit: 10_000,
    balance: -owed,
    outstanding: owed,
    available: 10_000 - owed,
    clientIdentityStatus: status,
    createdAt: '2026-03-01T02:00:00Z',
  })
  const entryRecord = (entry: Entry): Json => ({
    ...entry,
    intent: 'charge',
    entryType: 'CREDIT',
    description: 'Charge',
    createdAt: '2026-03-02T02:00:00Z',
    postedAt: null,
  })
  const cardRecord = (): Json => ({
    id: cardId,
    cardAccountId: accounts[0]?.id,
    status: 'active',
    embossedName: 'ADA WONG',
    network: 'card_network_1',
    last4: '4821',
    expiryMonth: 4,
    expiryYear: 2030,
  })
  const wanted = (query: URLSearchParams) => {
    const id = query.get('cardAccountId')
    return accounts.filter((account) => id === null || account.id === id)
  }
  const end = { prevPageToken: null, nextPageToken: null }

  const calls: Record<string, (query: URLSearchParams, body: Json) => Json> = {
    'GET /ping': () => ({ message: 'ok' }),
    'GET /cardaccounts': (query) => ({ cardaccounts: wanted(query).map(accountRecord), ...end }),
    'GET /cards': (query) => ({ cards: query.get('cardAccountId') === accounts[0]?.id ? [cardRecord()] : [], ...end }),
    'GET /cardaccounts/transactions': (query) => {
      const id = query.get('transactionId')
      const own = entries.filter((entry) => entry.cardAccountId === query.get('cardAccountId'))
      return { transactions: own.filter((entry) => id === null || entry.id === id).map(entryRecord), ...end }
    },
    'GET /fees': () => ({ fees: [], ...end }),
    'GET /cardaccounts/client-identity': (query) => {
      const [account] = wanted(query)
      return { cardAccountId: account?.id, status: account?.status }
    },
    'POST /cards/simulate-authorization': (_, { cardAccountId, cardId: card, amount, currency, opts, ...other }) => {
      none(other)
      const { countryCode: _country, purchaseAmount: _purchase, ...unknown } = (opts ?? {}) as Json
      none(unknown)
      const entry: Entry = {
        id: randomUUID(),
        cardAccountId: String(cardAccountId),
        cardId: String(card),
        amount: Number(amount),
        currency: String(currency),
        status: 'pending',
      }
      entries.push(entry)
      return { cardTransactionId: entry.id }
    },
    'POST /cards/simulate-full-reversal': (_, { cardAccountId, cardTransactionId, ...other }) => {
      none(other)
      const entry = entries.find(({ id }) => id === cardTransactionId)
      if (!entry || entry.cardAccountId !== cardAccountId) throw new Refused('no such transaction')
      entry.status = 'void'
      return { cardTransactionId: entry.id }
    },
    'POST /cardaccounts/simulate-repay': (_, { cardAccountIds, ...other }) => {
      none(other)
      const repayments = (cardAccountIds as string[]).map((cardAccountId) => {
        const account = accounts.find(({ id }) => id === cardAccountId)
        if (!account?.owed) return { cardAccountId, currency: 'HKD', repayAmount: 0, error: 'no outstanding balance' }
        const repayAmount = account.owed
        account.owed = 0
        return { cardAccountId, currency: 'HKD', repayAmount }
      })
      return { repayments }
    },
    'POST /cardaccounts/simulate-client-identity-status': (_, { cardAccountId, action, ...other }) => {
      none(other)
      const account = accounts.find(({ id }) => id === cardAccountId)
      if (!account) throw new Refused('no such card account')
      account.status = action === 'approve' ? 'approved' : 'rejected'
      return {}
    },
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
    const name = `${request.method} ${pathname.replace(/^\/v1/, '')}`
    const body = await bodyOf(request)
    if (request.method === 'POST') received.push({ call: name, body })
    const [status, result] = respond()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result))

    function respond(): [number, Json] {
      const expected = `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`
      if (request.headers.authorization !== expected)
        return [401, { code: 'UNAUTHORIZED', message: 'invalid access key' }]
      const call = calls[name]
      if (!call) return [404, { message: 'Not found' }]
      try {
        return [200, call(searchParams, body)]
      } catch (error) {
        if (error instanceof Refused) return [400, { code: 'INVALID_PARAMETERS', message: error.message }]
        throw error
      }
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    accessKey,
    accounts,
    cardId,
    entries,
    received,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

class Refused extends Error {}

function none(other: Json): void {
  const [name] = Object.keys(other)
  if (name !== undefined) throw new Refused(`${name}: unknown field`)
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  return request.method === 'POST' ? ((await json(request)) as Json) : {}
}
