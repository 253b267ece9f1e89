import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyAuditChain } from '#lib/audit/chain.ts'
import { servicePrefix } from '#lib/service/service-settings.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { hourMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { captureLog } from '../testing/capture-log.ts'
import { cardIn } from '../testing/cards.ts'
import { setRequestHeaders } from '../testing/next-headers.ts'
import { openConsole, shareConsole } from '../testing/open-console.ts'
import { revealCard, revealsPerHour, usableLink } from './reveal.ts'

const baseUrl = 'https://service.test/service/v1'
const desk = shareConsole({ serviceSettings: { baseUrl } })

/** The service's public address, which its links begin with; the tests reach it at another one. */
function setServiceUrl(): void {
  const settings = consoleSettings()
  const { sandbox } = settings.services
  settings.services = { ...settings.services, sandbox: sandbox && { ...sandbox, baseUrl } }
}

/** The next requests come from this address, with this `X-Forwarded-For`. */
function comeFrom(remoteAddress: string, forwardedFor?: string): void {
  const id = randomUUID()
  connections().set(id, { remoteAddress, target: '/', socket: {} as Socket })
  setRequestHeaders({ [connectionHeader]: id, ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}) })
}

beforeEach(() => {
  setServiceUrl()
  comeFrom('203.0.113.7')
})

async function inputFor(
  status: 'active' | 'pending-issue' | 'cancelled' = 'active',
): Promise<Parameters<typeof revealCard>[0]> {
  return { ...(await cardIn(desk, status)).target, reason: 'cardholder-request' }
}

/** What the service responds with in place of its link. */
function respondWith(body: object): void {
  desk.intercept.after = ({ url = '' }) => (url.includes('card-sensitive-info') ? Response.json(body) : null)
}

const newestEntry = async () => (await desk.db.select().from(auditEntries).orderBy(auditEntries.number)).at(-1)

test('support gets a link for its own address; the audit log has reason, address and expiry, and never the link', async () => {
  const staff = await desk.signIn('support')
  const input = await inputFor()
  const log = captureLog()
  const result = await revealCard({ ...input, reason: 'other', comment: 'the cardholder lost the letter' })
  if (result.kind !== 'revealed') throw new Error(JSON.stringify(result))
  expect(result.ipAddress).toBe('203.0.113.7')
  const { pathname, origin } = new URL(result.url)
  expect(origin).toBe(new URL(baseUrl).origin)
  const opened = await desk.service.send('GET', pathname.slice(servicePrefix.length), {
    connection: { remoteAddress: '203.0.113.7' },
    headers: { authorization: '' },
  })
  expect(opened.text).toMatch(/\d{4} \d{4} \d{4} \d{4}/)
  const entry = await newestEntry()
  expect(entry).toMatchObject({
    act: 'card.reveal',
    outcome: 'done',
    staffId: staff?.id,
    targetId: input.cardId,
    reason: 'other',
    comment: 'the cardholder lost the letter',
  })
  expect(JSON.parse(entry?.details ?? '')).toEqual({
    ipAddress: '203.0.113.7',
    consoleRequestId: expect.any(String) as string,
    linkExpiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
  })
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true })
  const contentId = pathname.split('/').at(-1) ?? ''
  expect(contentId.length).toBeGreaterThan(20)
  const { rows } = await desk.db.execute<{ tables: string }>(
    `select query_to_xml(format('select * from console.%I', tablename), true, true, '')::text as tables
     from pg_tables where schemaname = 'console'`,
  )
  expect(rows.some(({ tables }) => tables.includes(input.cardId))).toBe(true)
  expect(rows.filter(({ tables }) => tables.includes(contentId))).toEqual([])
  expect(log()).not.toContain(contentId)
})

test('a person on IPv6 is refused with the next step, before a request to the service', async () => {
  await desk.signIn('support')
  const input = await inputFor()
  desk.requests.clear()
  comeFrom('2001:db8::7')
  expect(await revealCard(input)).toMatchObject({
    kind: 'refused',
    outcome: {
      code: 'ADDRESS_NOT_IPV4',
      happened: expect.stringContaining('IPv6'),
      next: expect.stringContaining('IPv4'),
    },
  })
  expect(desk.requests.get('/cards/card-sensitive-info')).toBeUndefined()
  expect(await newestEntry()).toMatchObject({ act: 'card.reveal', outcome: 'refused', code: 'ADDRESS_NOT_IPV4' })
})

test.each([
  [0, '198.51.100.1', '203.0.113.7'],
  [1, '198.51.100.1', '198.51.100.1'],
  [1, '192.0.2.9, 198.51.100.1', '198.51.100.1'],
  [2, '192.0.2.9, 198.51.100.1', '192.0.2.9'],
])('behind %i trusted proxies, X-Forwarded-For %s means %s', async (trustedProxyHops, forwardedFor, ipAddress) => {
  await desk.signIn('operations')
  consoleSettings().trustedProxyHops = trustedProxyHops
  comeFrom('203.0.113.7', forwardedFor)
  expect(await revealCard(await inputFor())).toMatchObject({ kind: 'revealed', ipAddress })
})

describe('the limit', () => {
  test('of many at once ten are revealed, then the time of the next possible one is returned', async () => {
    const own = await openConsole({ serviceSettings: { baseUrl } })
    setServiceUrl()
    await own.signIn('support')
    const input: Parameters<typeof revealCard>[0] = {
      ...(await cardIn(own, 'active')).target,
      reason: 'cardholder-request',
    }
    const before = Date.now()
    const results = await Promise.all(Array.from({ length: 14 }, () => revealCard(input)))
    expect(results.filter(({ kind }) => kind === 'revealed')).toHaveLength(revealsPerHour)
    own.requests.clear()
    const limited = await revealCard(input)
    expect(limited).toMatchObject({ kind: 'limited' })
    const availableAt = Date.parse('availableAt' in limited ? limited.availableAt : '')
    expect(availableAt).toBeGreaterThanOrEqual(before + hourMs)
    expect(availableAt).toBeLessThanOrEqual(Date.now() + hourMs)
    expect(own.requests.get('/cards/card-sensitive-info')).toBeUndefined()

    await own.signIn('operations')
    expect(await revealCard(input)).toMatchObject({ kind: 'revealed' })

    await own.signIn('support')
    vi.useFakeTimers({ toFake: ['Date'], now: availableAt + 1 })
    try {
      await own.signIn('support')
      expect(await revealCard(input)).toMatchObject({ kind: 'revealed' })
    } finally {
      vi.useRealTimers()
    }
  })
})

test.each([
  ['https://service.example/v1/secure-content/x', 'https://service.example/v1', true],
  ['http://127.0.0.1:3000/service/v1/secure-content/x', 'http://127.0.0.1:3000/service/v1', true],
  ['http://[::1]:3000/x', 'http://[::1]:3000/v1', true],
  ['http://service.example/x', 'http://service.example/v1', false],
  ['https://elsewhere.example/x', 'https://service.example/v1', false],
  ['https://service.example.elsewhere.example/x', 'https://service.example/v1', false],
  ['https://service.example:8443/x', 'https://service.example/v1', false],
  ['https://user:password@service.example/x', 'https://service.example/v1', false],
  ['javascript:alert(1)', 'https://service.example/v1', false],
  ['data:text/html,x', 'https://service.example/v1', false],
  ['/secure-content/x', 'https://service.example/v1', false],
  ['', 'https://service.example/v1', false],
  [null, 'https://service.example/v1', false],
])('the link %s of the service at %s is opened: %s', (link, serviceUrl, isUsable) => {
  expect(usableLink(link, serviceUrl)).toBe(isUsable ? link : null)
})

test.each([
  [{ url: 'https://elsewhere.example/secure-content/x', expiry: '2026-01-01T00:00:00.000Z' }, 'a link that Carddesk'],
  [{ url: null, expiry: null }, 'no link.'],
  [{}, 'no link.'],
])('the response %j reveals nothing, and the error says that it returned %s', async (body, returned) => {
  await desk.signIn('operations')
  respondWith(body)
  expect(await revealCard(await inputFor())).toMatchObject({
    kind: 'refused',
    outcome: { code: 'SERVICE_REFUSED', happened: expect.stringContaining(`returned ${returned}`) },
  })
  expect(await newestEntry()).toMatchObject({
    act: 'card.reveal',
    outcome: 'refused',
    details: expect.not.stringContaining('linkExpiresAt'),
  })
})

test('a link without an expiry is shown, and audited without one', async () => {
  await desk.signIn('operations')
  const url = `${baseUrl}/secure-content/x`
  respondWith({ url })
  expect(await revealCard(await inputFor())).toMatchObject({ kind: 'revealed', url })
  expect(JSON.parse((await newestEntry())?.details ?? '')).toEqual({
    ipAddress: '203.0.113.7',
    consoleRequestId: expect.any(String) as string,
  })
})

test('a link that expired before it came is not opened: the person gets a new one', async () => {
  await desk.signIn('operations')
  const url = `${baseUrl}/secure-content/x`
  respondWith({ url, expiry: '2020-01-01T00:00:00Z' })
  expect(await revealCard(await inputFor())).toMatchObject({
    kind: 'refused',
    outcome: { happened: expect.stringMatching(/expired already.*Reveal the card again/) },
  })
  respondWith({ url, expiry: '2020-01-01T00:00:00' })
  expect(await revealCard(await inputFor()), 'a time without a zone').toMatchObject({ kind: 'revealed', url })
})

test.each([
  ['reason', { reason: '' }],
  ['reason', { reason: 'curiosity' }],
  ['comment', { reason: 'other' }],
  ['comment', { reason: 'other', comment: '  ' }],
  ['comment', { comment: '4929 1234 5678 9015' }],
  ['cardId', { cardId: '' }],
])('%s has to be right: %j', async (field, given) => {
  await desk.signIn('operations')
  const result = await revealCard({ ...(await inputFor()), ...given } as Parameters<typeof revealCard>[0])
  expect(result).toMatchObject({ kind: 'invalid', fields: { [field]: expect.any(String) as string } })
})

test.each(['pending-issue', 'cancelled'] as const)('a card that is %s is refused by the service', async (status) => {
  await desk.signIn('operations')
  expect(await revealCard(await inputFor(status))).toMatchObject({
    kind: 'refused',
    outcome: { state: 'refused', requestId: expect.any(String) as string },
  })
})
