import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { signings } from '#lib/client/raw-request.ts'
import { reads } from '#lib/console/reads.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import { noId, type Example } from './examples.ts'
import { bodyWithoutSecrets } from './explorer-exchange.ts'
import { sendExplorerRequest } from './send-explorer-request.ts'

type SendInput = Parameters<typeof sendExplorerRequest>[0]

const { readExample, readExplorer, readExplorerEndpoint, listServiceRequests, readServiceRequest } = reads

const desk = shareConsole({ seeded: 60 })

type Sent = Awaited<ReturnType<typeof sendExplorerRequest>>

beforeEach(async () => {
  process.env.BUILT_IN_SERVICE = 'on'
  Reflect.deleteProperty(globalThis, 'carddeskExplorerRequests')
  await desk.signIn('qa')
})

function inputOf(endpoint: EndpointName, example: Example = {}, changes: Partial<SendInput> = {}): SendInput {
  return {
    environment: 'sandbox',
    endpoint,
    params: example.params ?? {},
    query: Object.fromEntries(Object.entries(example.query ?? {}).map(([name, value]) => [name, [value].flat()])),
    body: endpointRow(endpoint).body ? JSON.stringify(example.body ?? {}) : null,
    idempotencyKey: '',
    signing: 'valid',
    isUnchecked: false,
    ...changes,
  }
}

function exchangeIn(sent: Sent) {
  if (sent.kind !== 'sent') throw new Error(`nothing was sent: ${JSON.stringify(sent)}`)
  return sent.exchange
}

async function newestEntry() {
  const [entry] = await desk.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.act, 'explorer.send'))
    .orderBy(desc(auditEntries.number))
    .limit(1)
  return entry
}

test('a request that differs from the contract is not sent; each issue names its field and its part', async () => {
  desk.requests.clear()
  const body = JSON.stringify({ method: 'BANK_WIRE', accountId: 'x', sourceCurrency: 'HKD' })
  const result = await sendExplorerRequest(inputOf('quotePayout', {}, { body }))
  expect(result).toMatchObject({ kind: 'incorrect' })
  expect(result.kind === 'incorrect' && result.issues).toEqual(
    expect.arrayContaining([
      { part: 'body', path: 'accountId', message: 'must be a UUID' },
      { part: 'body', path: 'destinationCountry', message: 'is required' },
    ]),
  )
  expect(await sendExplorerRequest(inputOf('listPayoutBanks', { params: { countryCode: 'hk' } }))).toMatchObject({
    kind: 'incorrect',
    issues: [{ part: 'params', path: 'countryCode' }],
  })
  expect(await sendExplorerRequest(inputOf('waiveFee', {}, { body: '{' }))).toMatchObject({
    kind: 'incorrect',
    issues: [{ part: 'body', path: 'body', message: 'must be JSON' }],
  })
  expect(desk.requests.size).toBe(0)
})

test('sent anyway, the service names the wrong fields, and they are returned field by field', async () => {
  const body = '{ "method": "BANK_WIRE", "accountId": "x" }'
  const exchange = exchangeIn(await sendExplorerRequest(inputOf('quotePayout', {}, { body, isUnchecked: true })))
  expect(exchange).toMatchObject({ status: 400, deviations: [] })
  expect(exchange.issues).toContainEqual({ part: 'body', path: 'accountId', message: 'must be a UUID' })
  const broken = exchangeIn(await sendExplorerRequest(inputOf('waiveFee', {}, { body: '{', isUnchecked: true })))
  expect(broken).toMatchObject({ status: 400, issues: [{ part: 'body', path: 'body' }] })
})

test('each wrong way to sign is refused as the contract says, and the token is shown without its signature', async () => {
  const outcomes: Record<string, unknown> = {}
  for (const signing of signings) {
    const sent = await sendExplorerRequest(inputOf('ping', {}, { signing }))
    const { status, body, token, requestHeaders } = exchangeIn(sent)
    outcomes[signing] = status === 200 ? 200 : (JSON.parse(body ?? '{}') as { code?: string }).code
    if (signing === 'none') expect(token).toBeNull()
    else expect(token).toMatchObject({ header: { alg: 'RS256' }, claims: { method: expect.any(String) as unknown } })
    expect(requestHeaders.authorization?.length ?? 0).toBeLessThan(30)
  }
  expect(outcomes).toEqual({
    valid: 200,
    expired: 'TOKEN_EXPIRED',
    'other-uri': 'INVALID_SIGNATURE',
    'other-method': 'INVALID_SIGNATURE',
    'other-body': 'INVALID_SIGNATURE',
    'unknown-key': 'INVALID_ACCESS_KEY',
    'other-key-pair': 'INVALID_SIGNATURE',
    none: 'INVALID_ACCESS_KEY',
  })
})

test('every sent request is in the audit log with its endpoint and outcome', async () => {
  const refused = await sendExplorerRequest(
    inputOf('waiveFee', { body: { id: noId } }, { signing: 'valid', idempotencyKey: 'try-1' }),
  )
  const { status, headers } = exchangeIn(refused)
  expect(status).toBe(400)
  expect(await newestEntry()).toMatchObject({
    staffRole: 'qa',
    targetId: 'waiveFee',
    targetLabel: 'POST /fees/waive',
    outcome: 'refused',
    code: 'FEE_NOT_FOUND',
    requestId: headers['x-request-id'],
  })
  await sendExplorerRequest(inputOf('ping', {}, { signing: 'expired' }))
  expect(await newestEntry()).toMatchObject({ outcome: 'refused', comment: 'HTTP 401, signing: expired' })
  desk.intercept.after = () => Response.json({ code: 'INTERNAL_ERROR' }, { status: 500 })
  await sendExplorerRequest(inputOf('waiveFee', { body: { id: noId } }))
  expect(await newestEntry()).toMatchObject({ outcome: 'unknown', comment: 'HTTP 500' })
})

test('the idempotency key of a change whose outcome is open is refused, in the header and in the body', async () => {
  const id = randomUUID()
  const now = new Date()
  const row = {
    id,
    environment: 'sandbox',
    kind: 'payout.submit',
    staffId: randomUUID(),
    staffName: 'Olive',
    staffRole: 'operations',
    targetType: 'payout',
    targetId: noId,
    endpoint: 'executePayout',
    contentDigest: 'digest',
    holdsSecret: false,
    state: 'unknown',
    createdAt: now,
    leaseUntil: now,
    leaseHolder: randomUUID(),
  } satisfies typeof operations.$inferInsert
  await desk.db.insert(operations).values(row)
  const body = JSON.stringify({ quoteId: noId, idempotencyKey: id })
  for (const input of [
    inputOf('waiveFee', { body: { id: noId } }, { idempotencyKey: id }),
    inputOf('executePayout', {}, { body, isUnchecked: true }),
  ]) {
    expect(await sendExplorerRequest(input)).toMatchObject({
      kind: 'refused',
      outcome: { happened: expect.stringContaining('The idempotency key') as string },
    })
  }
  await desk.db.update(operations).set({ state: 'done', settledAt: now }).where(eq(operations.id, id))
  const sent = await sendExplorerRequest(inputOf('waiveFee', { body: { id: noId } }, { idempotencyKey: id }))
  expect(sent.kind).toBe('sent')
})

test('a response that differs from the contract lists the differences', async () => {
  desk.intercept.after = () => Response.json({ accounts: [{ id: noId, balance: '12' }], more: 1 })
  const { deviations } = exchangeIn(await sendExplorerRequest(inputOf('listAccounts')))
  expect(deviations.map(({ path }) => path)).toEqual(expect.arrayContaining(['accounts[*].balance', 'more']))
  desk.intercept.after = () => Response.json({ code: 'MADE_UP', message: 'no' }, { status: 400 })
  expect(exchangeIn(await sendExplorerRequest(inputOf('listAccounts'))).deviations).toMatchObject([
    { path: 'code', found: 'MADE_UP' },
  ])
})

test('card numbers of a request are in no part of the response, and in no audit entry', async () => {
  const number = '4929 1234 5678 9015'
  const sent = await sendExplorerRequest(
    inputOf('listPayouts', { query: { xid: number, payoutId: number } }, { isUnchecked: true, idempotencyKey: '' }),
  )
  expect(exchangeIn(sent).url).toContain('•••• 9015')
  desk.intercept.after = () => Response.json({ code: number, message: `no ${number}` }, { status: 400 })
  const refused = await sendExplorerRequest(inputOf('waiveFee', { body: { id: number } }, { isUnchecked: true }))
  expect(exchangeIn(refused).body).toContain('•••• 9015')
  expect(JSON.stringify([sent, refused, await newestEntry()])).not.toMatch(/4929[\s+-]*1234/)
})

test('a service that does not respond is an outcome, not a failure', async () => {
  desk.intercept.before = (request) => {
    request.socket.destroy()
    return true
  }
  expect(exchangeIn(await sendExplorerRequest(inputOf('ping')))).toMatchObject({
    status: null,
    failure: 'CONNECTION_LOST',
  })
})

test('one person sends a limited number of requests a minute; others are not held up', async () => {
  const codes = new Set<string>()
  for (let count = 0; count < 62; count += 1) {
    const sent = await sendExplorerRequest(inputOf('ping'))
    codes.add(sent.kind === 'refused' ? (sent.outcome.code ?? '') : sent.kind)
  }
  // The minute may change on the way.
  for (let count = 0; count < 62 && !codes.has('TOO_MANY_ATTEMPTS'); count += 1) {
    const sent = await sendExplorerRequest(inputOf('ping'))
    codes.add(sent.kind === 'refused' ? (sent.outcome.code ?? '') : sent.kind)
  }
  expect(codes).toEqual(new Set(['sent', 'TOO_MANY_ATTEMPTS']))
  await desk.signIn('operations')
  expect((await sendExplorerRequest(inputOf('ping'))).kind).toBe('sent')
})

test('while the service is away, an example says so as every page does', async () => {
  desk.intercept.before = ({ url }, response) => {
    if (!url?.endsWith('/payouts/quote')) return false
    response.writeHead(503).end('{}')
    return true
  }
  await expect(readExample('sandbox', 'executePayout')).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
})

test('production has no explorer, and other roles may not use it; their attempts are audited', async () => {
  await expect(readExplorer('production')).rejects.toMatchObject({ status: 404 })
  await expect(readExample('production', 'ping')).rejects.toMatchObject({ status: 404 })
  await expect(listServiceRequests('production', {})).rejects.toMatchObject({ status: 404 })
  const production = await sendExplorerRequest(inputOf('ping', {}, { environment: 'production' }))
  expect(production).toMatchObject({ kind: 'refused' })
  await expect(readExplorerEndpoint('sandbox', 'nothing')).rejects.toMatchObject({ code: 'ENDPOINT_NOT_FOUND' })
  for (const role of ['viewer', 'support', 'approver', 'admin'] as const) {
    const staff = await desk.signIn(role)
    await expect(readExplorer('sandbox')).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    await expect(listServiceRequests('sandbox', {})).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    expect(await sendExplorerRequest(inputOf('ping'))).toMatchObject({ outcome: { code: 'NOT_PERMITTED' } })
    const entries = await desk.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.staffId, staff?.id ?? ''), eq(auditEntries.act, 'explorer.send')))
    expect(entries).toMatchObject([{ outcome: 'refused', code: 'NOT_PERMITTED', targetId: 'ping' }])
  }
})

test('recent requests are listed with a prefill for the form, and a secret link is not among them', async () => {
  const { headers } = exchangeIn(
    await sendExplorerRequest(inputOf('listPayoutBanks', { params: { countryCode: 'HK' } })),
  )
  const sensitive = inputOf('getCardSensitiveInfo', await readExample('sandbox', 'getCardSensitiveInfo'))
  const { body, deviations } = exchangeIn(await sendExplorerRequest(sensitive))
  expect(body).toMatch(/"https?:\/\/[^/]+\/•••"/)
  expect(deviations).toEqual([])
  const { requests, isAvailable } = await listServiceRequests('sandbox', { method: 'GET' })
  expect(isAvailable).toBe(true)
  expect(requests[0]).toMatchObject({ endpoint: 'getCardSensitiveInfo', status: 200 })
  expect(await readServiceRequest('sandbox', requests[0]?.requestId ?? '')).toMatchObject({ responseBody: null })
  expect(await readServiceRequest('sandbox', headers['x-request-id'] ?? '')).toMatchObject({
    status: 200,
    prefill: { endpoint: 'listPayoutBanks', params: { countryCode: 'HK' }, query: {} },
  })
  await expect(readServiceRequest('sandbox', noId)).rejects.toMatchObject({ code: 'REQUEST_NOT_FOUND' })
  await expect(listServiceRequests('sandbox', { failed: 'x' as 'true' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
  process.env.BUILT_IN_SERVICE = 'off'
  expect(await listServiceRequests('sandbox', {})).toEqual({ isAvailable: false, requests: [] })
})

test('of a secret link its host alone is shown, wherever in the link the secret is', () => {
  const shown = (url: string) => bodyWithoutSecrets('getCardSensitiveInfo', JSON.stringify({ url }))
  for (const secret of ['secure/4f2a/', 'view?token=4f2a/cd==', 'view#4f2a/']) {
    expect(shown(`https://4f2a@cards.example:8443/${secret}`)).toBe('{"url":"https://cards.example:8443/•••"}')
  }
})
