import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseProfileFile } from '#lib/client/profile-file.ts'
import { contractProfile, type ServiceConnection } from '#lib/client/service-profile.ts'
import { endpointNames, endpointRow } from '#lib/contract/endpoints.ts'
import { wireDecisions } from '#lib/contract/wire-decisions.ts'
import { callService } from '#lib/environments/environments.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import { expiredCertificate, selfSignedCertificate, testKeyPair } from '#lib/signing/testing.ts'
import { shareConsole } from '../testing/open-console.ts'
import { checkConnection } from './check.ts'
import { decisionChecks } from './decision-checks.ts'
import { type Found, noteFound, readEndpoints } from './read-calls.ts'
import { exitCodes, proposedPart } from './report.ts'
import type { CheckReport } from './types.ts'

const desk = shareConsole({ seeded: 12 })

function connection(): ServiceConnection {
  const { sandbox } = consoleSettings().services
  if (!sandbox) throw new Error('the sandbox is connected')
  return sandbox
}

type Change = (path: string, body: unknown) => { path?: string; status?: number; body?: unknown }

/** A service like the built-in one, but for what the test changes. It doesn't verify signatures: it signs again. */
async function changedService(change: Change, header = (name: string) => name): Promise<ServiceConnection> {
  const { baseUrl, accessKey, privateKey } = connection()
  const base = new URL(baseUrl)
  const forward = async (uri: string): Promise<unknown> => {
    const now = Date.now() / 1000
    const key = readPrivateKey(privateKey ?? '')
    const token = await signRequest({ accessKey, privateKey: key, method: 'GET', uri, body: null, now })
    const response = await fetch(`${base.origin}${uri}`, { headers: { authorization: `Bearer ${token}` } })
    return response.json()
  }
  const respond = (response: ServerResponse, status: number, body: unknown) => {
    const headers = {
      'x-request-id': 'r',
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': '599',
      'x-ratelimit-reset': '1000',
    }
    const renamed = Object.entries(headers).map(([name, value]) => [header(name), value])
    response.writeHead(status, Object.fromEntries(renamed) as Record<string, string>).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://stub')
    const path = pathname.slice(base.pathname.length)
    const first = change(path, undefined)
    if (first.status) return respond(response, first.status, first.body ?? {})
    void forward(`${base.pathname}${first.path ?? path}${search}`).then((body) =>
      respond(response, 200, change(path, body).body ?? body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base.pathname}`,
    accessKey,
    privateKey,
  }
}

const check = (to: ServiceConnection): Promise<CheckReport> =>
  checkConnection({ environment: 'sandbox', connection: to })
const harmless: readonly string[] = ['matches', 'no records', 'not called']
const problemsOf = ({ endpoints }: CheckReport) => endpoints.filter(({ verdict }) => !harmless.includes(verdict))
const verdictsOf = ({ endpoints }: CheckReport) =>
  Object.fromEntries(endpoints.map(({ name, verdict }) => [name, verdict]))

describe('the check of the built-in service', () => {
  test('is usable without contradictions, and gets one GET request for each endpoint', async () => {
    const methods: string[] = []
    desk.intercept.before = (request) => {
      methods.push(`${request.method} ${new URL(request.url ?? '', 'http://s').pathname}`)
      return false
    }
    const report = await check(connection())
    expect(problemsOf(report)).toEqual([])
    expect(report.decisions.filter(({ verdict }) => verdict === 'contradicted')).toEqual([])
    expect(report).toMatchObject({ result: 'usable', environment: 'sandbox', proposals: [], diagnosis: null })
    expect(Math.abs(report.clockOffsetMs ?? Infinity)).toBeLessThan(2000)
    expect(methods.every((method) => method.startsWith('GET '))).toBe(true)
    expect(new Set(methods).size).toBe(methods.length)
  })

  test('calls every GET endpoint of the contract, or says why not', async () => {
    expect(readEndpoints.toSorted()).toEqual(
      endpointNames.filter((name) => endpointRow(name).method === 'GET').toSorted(),
    )
    const report = await check(connection())
    const skipped = report.endpoints.filter(({ verdict }) => verdict === 'not called')
    expect(skipped.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'getCardSensitiveInfo: Not called: it opens a one-time link to card data.',
    ])
  })

  test('confirms what reads can show, and leaves the rest open', async () => {
    const { decisions } = await check(connection())
    expect(decisions).toHaveLength(wireDecisions.length)
    const confirmed = decisions.filter(({ verdict }) => verdict === 'confirmed').map(({ id }) => id)
    expect(confirmed).toEqual(expect.arrayContaining(['requests.request-id', 'card-accounts.balance', 'lists.pages']))
    expect(decisions.find(({ id }) => id === 'payouts.quote-lifetime')?.verdict).toBe('open')
  })

  test('says which release the responses show, and what none of them can', async () => {
    const { release } = await check(connection())
    expect(release).toMatchObject({ version: '1.4.7', title: '1.4.7 or later' })
    expect(release.notes).toEqual(['No response shows data.xid in both client identity events (1.4.8).'])
  })

  test('holds no value of a record', async () => {
    const { response } = await callService('sandbox', 'listCardAccounts', {})
    const report = JSON.stringify(await check(connection()))
    const texts = response.cardaccounts.flatMap(({ id, name, phoneNumber }) => [id, name, phoneNumber])
    expect(texts.filter((text) => text !== null && report.includes(text))).toEqual([])
    expect(report).not.toMatch(/@|\+\d{8}/)
  })
})

test('cards are compared on an account that may have some: not the newest', () => {
  const found: Found = {}
  noteFound(found, 'listCardAccounts', { cardaccounts: [{ id: 'newest' }, { id: 'older' }] })
  expect(found).toEqual({ cardAccountId: 'older' })
  const used = { id: 'used', outstanding: 12.5 }
  noteFound(found, 'listCardAccounts', {
    cardaccounts: [{ id: 'newest' }, used, { id: 'saved', balance: 3, outstanding: 0 }, { id: 'older', balance: 0 }],
  })
  expect(found.cardAccountId).toBe('used')
})

test('every check belongs to a documented assumption', () => {
  const ids = wireDecisions.map(({ id }) => id)
  expect(Object.keys(decisionChecks).filter((id) => !ids.includes(id))).toEqual([])
})

function textAmounts(value: unknown, key = ''): unknown {
  if (typeof value === 'number') return /expiry|queued|Coordinates/.test(key) ? value : String(value)
  if (Array.isArray(value)) return value.map((item) => textAmounts(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, textAmounts(inner, name)]))
}

/** Five differences: a list key, a field name, a code's spelling, text amounts and a path. */
const fiveDifferences: Change = (path, body) => {
  if (path === '/fees') return { status: 404 }
  if (body === undefined) return path === '/charges' ? { path: '/fees' } : {}
  const text = textAmounts(body)
  if (path === '/accounts') return { body: { items: (text as { accounts: unknown }).accounts } }
  if (path !== '/cardaccounts') return { body: text }
  const { cardaccounts, ...rest } = text as { cardaccounts: Record<string, string>[] }
  const renamed = cardaccounts.map(({ phoneNumber, accountType, ...account }) => ({
    ...account,
    phone_number: phoneNumber,
    accountType: accountType?.toUpperCase(),
  }))
  return { body: { cardaccounts: renamed, ...rest } }
}

test('a 404 with a code of its own is a missing path where the request names no object', async () => {
  const service = await changedService((path) =>
    path === '/accounts' || path === '/webhooks/stats' ? { status: 404, body: { code: 'RESOURCE_MISSING' } } : {},
  )
  expect(verdictsOf(await check(service))).toMatchObject({ listAccounts: 'missing', listWebhookStats: 'missing' })
})

test('a 404 of a request that names an object is asked for, unless its code is the interface’s own', async () => {
  const service = await changedService((path) => {
    if (path === '/cardaccounts/client-identity') return { status: 404, body: { code: 'ROUTE_UNKNOWN' } }
    return path === '/banks' ? { status: 404, body: { code: 'BANK_NOT_FOUND' } } : {}
  })
  const report = await check(service)
  expect(report.result).toBe('differences')
  expect(verdictsOf(report)).toMatchObject({ getClientIdentity: 'missing', getBank: 'no records' })
  expect(report.namesToFillIn).toEqual({
    sandbox: { paths: { getClientIdentity: 'Enter the path of GET /cardaccounts/client-identity on this service.' } },
  })
})

test('reports why the rest is not called: the rate limit or a failing service', async () => {
  const reasonAfter = async (status: number) => {
    const report = await check(await changedService(() => ({ status })))
    return report.endpoints.find(({ name }) => name === 'listFees')?.reason
  }
  expect(await reasonAfter(429)).toBe('Not called: the service limits the rate of requests.')
  expect(await reasonAfter(502)).toBe('Not called: the service responds with HTTP 502.')
})

describe('the check of a service with other names', () => {
  test('reports five planted differences, proposes the lines that fix them, and passes with them', async () => {
    const service = await changedService(fiveDifferences)
    const report = await check(service)
    expect(report.result).toBe('differences')
    expect(verdictsOf(report)).toMatchObject({
      ping: 'matches',
      listFees: 'missing',
      listAccounts: 'unexpected form',
      listCardAccounts: 'differs',
    })
    const account = report.endpoints.find(({ name }) => name === 'listCardAccounts')
    expect(account?.differences).toEqual(
      expect.arrayContaining([
        { path: 'cardaccounts[*].phoneNumber', expected: 'text', found: 'nothing' },
        { path: 'cardaccounts[*].balance', expected: 'a number', found: 'text' },
        { path: 'cardaccounts[*].accountType', expected: 'one of prepaid, credit', found: '"CREDIT"' },
      ]),
    )
    expect(report.decisions.find(({ id }) => id === 'requests.amounts')?.verdict).toBe('contradicted')
    expect(report.rateLimit).toEqual({ limit: 600, remaining: 599 })
    expect(report.names).toEqual({
      sandbox: {
        lists: { listAccounts: 'items' },
        fields: { CardAccount: { phoneNumber: 'phone_number' } },
        values: { 'CardAccount.accountType': expect.objectContaining({ CREDIT: 'credit' }) },
        amounts: 'text',
      },
    })
    const toFillIn = { sandbox: { paths: { listFees: 'Enter the path of GET /fees on this service.' } } }
    expect(report.namesToFillIn).toEqual(toFillIn)
    expect(parseProfileFile(JSON.stringify(toFillIn)).ok, 'a line that is not filled in stops the start').toBe(false)

    const filled = report.proposals.map((proposal) => ({ ...proposal, value: proposal.value ?? '/charges' }))
    const file = parseProfileFile(JSON.stringify(proposedPart('sandbox', filled)))
    if (!file.ok) throw new Error(file.error.join('\n'))
    const fixed = await check({ ...service, profile: file.value.sandbox })
    expect(problemsOf(fixed)).toEqual([])
    expect(fixed).toMatchObject({ result: 'usable', proposals: [] })
    expect(fixed.endpoints.find(({ name }) => name === 'listFees')?.endpoint).toBe('GET /charges')
  })

  test('proposes the lines for other names of headers and events, and passes with them', async () => {
    const webhook = { id: randomUUID(), name: '', url: 'https://hooks.example/a', status: 'healthy' }
    const events = ['*', 'card_updated', 'cardAccount.Created', 'a.custom-event']
    const service = await changedService(
      (path, body) =>
        path === '/webhooks' && body !== undefined ? { body: { webhooks: [{ ...webhook, events }] } } : {},
      (name) => ({ 'x-request-id': 'x-correlation-id', 'x-ratelimit-limit': 'ratelimit-limit' })[name] ?? name,
    )
    const report = await check(service)
    expect(report.rateLimit).toBeNull()
    expect(report.names).toEqual({
      sandbox: {
        headers: { requestId: 'x-correlation-id', rateLimit: 'ratelimit-limit' },
        events: { card_updated: 'card.updated', 'cardAccount.Created': 'cardaccount.created' },
      },
    })
    const file = parseProfileFile(JSON.stringify(report.names))
    if (!file.ok) throw new Error(file.error.join('\n'))
    const fixed = await check({ ...service, profile: file.value.sandbox })
    expect(fixed).toMatchObject({ proposals: [], rateLimit: { limit: 600, remaining: 599 } })
    expect(fixed.endpoints.every(({ status, requestId }) => status === null || requestId === 'r')).toBe(true)
  })

  test('a field, or amounts as text, is proposed only where the values fit', async () => {
    const service = await changedService((path, body) => {
      if (path !== '/cardaccounts' || body === undefined) return {}
      const { cardaccounts } = body as { cardaccounts: Record<string, unknown>[] }
      const changed = cardaccounts.map(({ createdAt, clientIdentityStatus: _status, ...account }) => ({
        ...account,
        status: 'active',
        balance: '10,001.00',
        created_at: 'yesterday',
        at: createdAt,
      }))
      return { body: { cardaccounts: changed, prevPageToken: null, nextPageToken: null } }
    })
    const { proposals, endpoints } = await check(service)
    expect(proposals.map(({ at, value }) => [...at, value])).toEqual([
      ['fields', 'CardAccount', 'createdAt', 'at'],
      ['fields', 'CardAccount', 'clientIdentityStatus', null],
    ])
    const { differences } = endpoints.find(({ name }) => name === 'listCardAccounts') ?? {}
    expect(differences).toContainEqual({
      path: 'cardaccounts[*].balance',
      expected: 'a number',
      found: 'text that is no decimal number',
    })
  })
})

/** The records of the card account list, changed one by one. */
const changedAccounts = (change: (account: Record<string, unknown>) => object): Promise<ServiceConnection> =>
  changedService((path, body) => {
    if (path !== '/cardaccounts' || body === undefined) return {}
    const list = body as { cardaccounts: Record<string, unknown>[] }
    return { body: { ...list, cardaccounts: list.cardaccounts.map(change) } }
  })

test('a service whose accounts lack what a late release added is of an earlier one', async () => {
  const service = await changedAccounts(({ disputeAmount: _late, ...account }) => account)
  expect((await check(service)).release).toMatchObject({
    title: expect.stringMatching(/before 1\.4\.7$/),
    notes: [
      expect.stringMatching(/^Lacks CardAccount\.disputeAmount \(1\.4\.7\): in none of 12 sent\./),
      expect.any(String),
      expect.any(String),
    ],
  })
})

describe('a field of the contract that no record has', () => {
  test('is proposed under an unlike name whose values are its codes', async () => {
    const service = await changedAccounts(({ clientIdentityStatus, phoneNumber, ...account }) => ({
      ...account,
      kycStatus: clientIdentityStatus,
      mobile: phoneNumber,
      vendorTier: 'gold',
      flags: [],
    }))
    const { names, namesToFillIn } = await check(service)
    expect(names).toEqual({ sandbox: { fields: { CardAccount: { clientIdentityStatus: 'kycStatus' } } } })
    expect(namesToFillIn).toEqual({
      sandbox: {
        fields: {
          CardAccount: {
            phoneNumber:
              'No field found for CardAccount.phoneNumber. Enter its name on this service, or leave the line out if it has none.',
          },
        },
      },
    })
  })

  test('is asked for where two fields have its values, and not where one record has it', async () => {
    const twice = await changedAccounts(({ clientIdentityStatus, ...account }) => ({
      ...account,
      kycStatus: clientIdentityStatus,
      riskStatus: clientIdentityStatus,
    }))
    const { names, namesToFillIn } = await check(twice)
    expect(names).toBeNull()
    expect(namesToFillIn).toMatchObject({
      sandbox: { fields: { CardAccount: { clientIdentityStatus: expect.stringContaining('No field found') } } },
    })

    let count = 0
    const once = await changedAccounts(({ clientIdentityStatus, ...account }) => ({
      ...account,
      ...(count++ === 0 ? { clientIdentityStatus } : { kycStatus: clientIdentityStatus }),
    }))
    expect((await check(once)).proposals).toEqual([])
  })

  test('is never proposed as an id where it is a label', async () => {
    const service = await changedService((path, body) => {
      if (path !== '/accounts/transactions' || body === undefined) return {}
      const list = body as { transactions: { id: string; accountLabel?: string }[] }
      const transactions = list.transactions.map(({ accountLabel: _label, ...transaction }) => ({
        ...transaction,
        accountId: transaction.id,
        accountName: `ca_01H4WAR3${transaction.id.slice(0, 4)}`,
      }))
      return { body: { ...list, transactions } }
    })
    const { proposals } = await check(service)
    expect(proposals.map(({ at, value }) => [...at, value])).toEqual([
      ['fields', 'AccountTransaction', 'accountLabel', null],
    ])
  })
})

describe('a connection that fails names its cause', () => {
  const reasonAt = async (baseUrl: string): Promise<string | null | undefined> => {
    const report = await check({ ...connection(), baseUrl, profile: contractProfile })
    expect(report.result).toBe('nothing compared')
    return report.endpoints[0]?.reason
  }

  /** A service over TLS under a certificate; the port of a plain one where there is none. */
  const listen = async (certificate: string | null): Promise<number> => {
    const respond = (_request: unknown, response: ServerResponse) => void response.end('{}')
    const server =
      certificate === null
        ? createServer(respond)
        : createTlsServer({ cert: certificate, key: testKeyPair.privateKey }, respond)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return (server.address() as AddressInfo).port
  }

  test('an expired certificate, a self-signed one, another protocol, a refusal', async () => {
    const [expired, selfSigned, plain] = await Promise.all(
      [expiredCertificate, selfSignedCertificate, null].map(listen),
    )
    expect(await reasonAt(`https://127.0.0.1:${expired}/v1`)).toContain('Its TLS certificate expired on 2025-01-01')
    expect(await reasonAt(`https://127.0.0.1:${selfSigned}/v1`)).toMatch(/is self-signed\..*NODE_EXTRA_CA_CERTS=FILE/)
    expect(await reasonAt(`https://127.0.0.1:${plain}/v1`)).toContain(`127.0.0.1:${plain} doesn’t speak TLS`)
    expect(await reasonAt(`http://127.0.0.1:${selfSigned}/v1`)).toContain('the URL should begin with https://')
    expect(await reasonAt('http://127.0.0.1:9/v1')).toContain('127.0.0.1:9 refused the connection')
    expect(await reasonAt('http://service.invalid/v1')).toContain('The name service.invalid isn’t known to DNS.')
  })
})

describe('a service that can’t be compared', () => {
  test('is no success: every list is empty, or every request rejected', async () => {
    const empty = await changedService((path, body) => {
      if (body === undefined || typeof body !== 'object' || path === '/ping') return {}
      return {
        body: Object.fromEntries(
          Object.entries(body as object).map(([key, value]) => [key, Array.isArray(value) ? [] : value]),
        ),
      }
    })
    const rejecting = await changedService(() => ({ status: 401 }))
    const rejected = await check(rejecting)
    expect(rejected).toMatchObject({ result: 'nothing compared' })
    expect(verdictsOf(rejected)).toMatchObject({ ping: 'rejected', listFees: 'rejected', listCards: 'not called' })
    expect(rejected.endpoints.find(({ name }) => name === 'listCards')?.reason).toBe(
      'Not called: no card account found.',
    )
    expect(exitCodes[rejected.result]).toBe(2)
    const nothing = await check(empty)
    expect(nothing.endpoints.find(({ name }) => name === 'getRates')?.records).toBe(1)
    expect(verdictsOf(nothing)).toMatchObject({ listCardAccounts: 'no records', listCards: 'not called' })
    expect(nothing.endpoints.filter(({ verdict, records }) => verdict === 'matches' && records === 0)).toEqual([])
    expect(nothing.result, 'rates and banks alone prove nothing').toBe('nothing compared')
  })

  test('is unreachable without waiting for every endpoint', async () => {
    const report = await check({ ...connection(), baseUrl: 'http://127.0.0.1:9/service/v1', profile: contractProfile })
    expect(report.result).toBe('nothing compared')
    expect(verdictsOf(report)).toMatchObject({ ping: 'unreachable', listFees: 'not called' })
  })

  test('a page or a redirect is unreadable, with the endpoint named', async () => {
    desk.intercept.before = (request, response) => {
      if (request.url?.includes('/fees')) response.end('<html>')
      else if (request.url?.includes('/rates')) response.writeHead(302, { location: '/login' }).end()
      else return false
      return true
    }
    const report = await check(connection())
    expect(verdictsOf(report)).toMatchObject({ listFees: 'unreadable', getRates: 'unreadable', listPayouts: 'matches' })
    expect(report.result).toBe('differences')
  })
})
