import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCardNumber, securityCode } from '../card-number.ts'
import { securityCodeKey } from '../secure-content.ts'
import { servicePrefix } from '../service-settings.ts'
import { cards } from '../tables/cards.ts'
import { contentLinks } from '../tables/runtime.ts'
import { openAccount, unknownId } from '../testing-accounts.ts'
import { openTestService, testCardNumberKey, type TestService } from '../testing.ts'

let service: TestService
let account: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
  account = await openAccount(service)
})

afterAll(() => service.close())

async function link(given: Record<string, string> = {}): Promise<string> {
  const query = { ...account, ipAddress: '203.0.113.7', ...given }
  const { status, json, text } = await service.call('getCardSensitiveInfo', { query })
  expect(status, text).toBe(200)
  return json.url
}

function open(url: string, remoteAddress = '203.0.113.7', headers: Record<string, string> = {}) {
  const path = new URL(url).pathname.slice(servicePrefix.length)
  return service.send('GET', path, { connection: { remoteAddress }, headers: { authorization: '', ...headers } })
}

async function numberOf(cardId: string): Promise<{ number: string; code: string }> {
  const [card] = await service.service.db.select().from(cards).where(eq(cards.id, cardId))
  if (!card) throw new Error('the card is gone')
  const codeKey = await securityCodeKey(service.service)
  const number = openCardNumber(card.sealedNumber, card.id, testCardNumberKey)
  return { number, code: securityCode(number, card.expiryMonth, card.expiryYear, codeKey) }
}

test('the link leads below the base address, and lives 60 seconds', async () => {
  const query = { ...account, ipAddress: '203.0.113.7' }
  const before = Date.now()
  const { json } = await service.call('getCardSensitiveInfo', { query })
  expect(json.url).toMatch(/^http:\/\/service\.test\/service\/v1\/secure-content\/[\w-]{43}$/)
  expect(Date.parse(json.expiry)).toBeGreaterThanOrEqual(before + 60_000)
  expect(Date.parse(json.expiry)).toBeLessThan(Date.now() + 61_000)
})

test('opens once, from its address, to a page with number, expiry and security code that is stored nowhere', async () => {
  const url = await link()
  const { number, code } = await numberOf(account.cardId)
  const page = await open(url)
  expect(page.status).toBe(200)
  expect(page.text).toContain(number.replaceAll(/(\d{4})(?=\d)/g, '$1 '))
  expect(page.text).toContain(`<dd>${code}</dd>`)
  expect(page.text).toMatch(/<dd>\d\d\/\d\d<\/dd>/)
  expect(page.text).not.toMatch(/<script|style=|https?:/i)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('x-request-id')).toBeTruthy()
  const again = await open(url)
  expect(again.status).toBe(403)
  expect(again.text).not.toContain(number.slice(0, 4))
})

test('a refused opening does not use the link up', async () => {
  const url = await link()
  expect((await open(url, '203.0.113.8')).status).toBe(403)
  expect((await open(url, '2001:db8::1')).status).toBe(403)
  expect((await open(url, '203.0.113.7', { 'sec-purpose': 'prefetch' })).status).toBe(403)
  expect((await open(url)).status).toBe(200)
})

test('a caller cannot speak for another address', async () => {
  const url = await link()
  expect((await open(url, '198.51.100.1', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(403)
})

test.each([
  ['127.0.0.1', '::1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
  ['203.0.113.7', '::ffff:203.0.113.7'],
])('a link for %s opens from %s', async (ipAddress, remoteAddress) => {
  expect((await open(await link({ ipAddress }), remoteAddress)).status).toBe(200)
})

test('of 50 who open it at once one sees it', async () => {
  const url = await link()
  const pages = await Promise.all(Array.from({ length: 50 }, () => open(url)))
  expect(pages.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(pages.filter(({ status }) => status === 403)).toHaveLength(49)
})

test('after 60 seconds it is refused, as an unknown one is, with the same page', async () => {
  const url = await link()
  await service.control('POST', '/clock', { advance: 'PT60S' })
  const late = await open(url)
  const unknown = await open(`http://service.test${servicePrefix}/secure-content/${'x'.repeat(43)}`)
  expect([late.status, unknown.status]).toEqual([403, 403])
  expect(late.text).toBe(unknown.text)
})

test('a card that was cancelled since is not shown', async () => {
  const other = await openAccount(service)
  const url = await link(other)
  await service.call('cancelCard', { body: other })
  expect((await open(url)).status).toBe(403)
})

test.each(['active', 'locked', 'suspended', 'pending-activation'] as const)(
  'a card that is %s has it',
  async (status) => {
    await service.service.db.update(cards).set({ status }).where(eq(cards.id, account.cardId))
    expect((await open(await link())).status).toBe(200)
    await service.service.db.update(cards).set({ status: 'active' }).where(eq(cards.id, account.cardId))
  },
)

test.each([
  ['pending-issue', 'CARD_NOT_ISSUED'],
  ['cancelled', 'INACTIVE_CARD'],
] as const)('a card that is %s is refused with %s', async (status, code) => {
  const other = await openAccount(service)
  await service.service.db.update(cards).set({ status }).where(eq(cards.id, other.cardId))
  const query = { ...other, ipAddress: '203.0.113.7' }
  expect(await service.call('getCardSensitiveInfo', { query })).toMatchObject({ status: 400, json: { code } })
})

test.each([
  [{ cardAccountId: unknownId }, 404, 'CARD_ACCOUNT_NOT_FOUND'],
  [{ cardId: unknownId }, 400, 'CARD_NUMBER_MISMATCH'],
  [{ ipAddress: '256.0.0.1' }, 400, 'INVALID_PARAMETERS'],
  [{ ipAddress: '::1' }, 400, 'INVALID_PARAMETERS'],
  [{ ipAddress: '1.2.3' }, 400, 'INVALID_PARAMETERS'],
  [{ ipAddress: '01.2.3.4' }, 400, 'INVALID_PARAMETERS'],
])('refuses %j with %i %s', async (given, status, code) => {
  const query = { ...account, ipAddress: '203.0.113.7', ...given }
  expect(await service.call('getCardSensitiveInfo', { query })).toMatchObject({ status, json: { code } })
})

test('neither the link’s id nor the number is in the database', async () => {
  const contentId = new URL(await link()).pathname.split('/').at(-1) ?? ''
  const rows = await service.service.db.select().from(contentLinks)
  expect(JSON.stringify(rows)).not.toContain(contentId)
})
