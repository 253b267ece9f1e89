import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cards } from '../tables/cards.ts'
import { idempotency } from '../tables/runtime.ts'
import { events } from '../tables/webhooks.ts'
import { addCard } from '../testing-records.ts'
import { openTestService, type TestService } from '../testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService()
})
afterAll(() => opened.close())

type Target = { cardAccountId: string; cardId: string }
const under = (key: string) => ({ headers: { 'idempotency-key': key } })

function lock(target: Target, key: string, more: Record<string, unknown> = {}) {
  return opened.call('lockCard', { body: { ...target, ...more }, ...under(key) })
}
async function effects(target: Target): Promise<number> {
  const all = await opened.service.db.select().from(events)
  return all.filter((event) => event.data.id === target.cardId).length
}

test('sends the stored response again, word by word, and does nothing more', async () => {
  const target = await addCard(opened.service.db)
  const first = await lock(target, 'replay')
  await opened.call('unlockCard', { body: target })
  const second = await lock(target, 'replay')
  expect(first.status).toBe(200)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect([second.status, second.text]).toEqual([200, first.text])
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(await effects(target)).toBe(2)
})

test('the same key with another body, other bytes or another path is a conflict, and the conflict is not stored', async () => {
  const target = await addCard(opened.service.db)
  const first = await lock(target, 'conflict')
  const conflicts = [
    await lock(target, 'conflict', { more: 1 }),
    await opened.send('POST', '/cards/lock', {
      body: JSON.stringify(target, null, 1),
      headers: { 'content-type': 'application/json', ...under('conflict').headers },
    }),
    await opened.call('unlockCard', { body: target, ...under('conflict') }),
  ]
  for (const conflict of conflicts) {
    expect(conflict).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_CONFLICT' } })
    expect(conflict.headers.get('idempotency-replayed')).toBeNull()
  }
  expect((await lock(target, 'conflict')).text).toBe(first.text)
  expect(await effects(target)).toBe(1)
})

test('keys of different callers do not meet, and a token is verified before anything is sent again', async () => {
  const target = await addCard(opened.service.db)
  await lock(target, 'caller')
  const headers = { 'idempotency-key': 'caller', authorization: `Basic ${btoa(`${randomUUID()}:`)}` }
  expect(await opened.call('lockCard', { body: target, headers })).toMatchObject({ status: 401 })
})

test('of 100 requests at once under one key one is executed, all get the same response', async () => {
  const target = await addCard(opened.service.db)
  const responses = await Promise.all(Array.from({ length: 100 }, () => lock(target, 'at once')))
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses[0]?.status).toBe(200)
  expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(99)
  expect(await effects(target)).toBe(1)
})

test('stores errors too: business errors, malformed bodies, unknown paths', async () => {
  const target = await addCard(opened.service.db, { status: 'locked' })
  const refused = await lock(target, 'refused')
  await opened.service.db.update(cards).set({ status: 'active' }).where(eq(cards.id, target.cardId))
  expect(await lock(target, 'refused')).toMatchObject({ status: 400, text: refused.text })

  const send = (path: string, body: string, contentType = 'application/json') =>
    opened.send('POST', path, { body, headers: { 'content-type': contentType, 'idempotency-key': `stored ${path}` } })
  for (const [path, body, status] of [
    ['/cards/lock', '{', 400],
    ['/cards/unlock', '{"cardId":1}', 400],
    ['/nowhere', '{}', 404],
    ['/ping', '{}', 405],
  ] as const) {
    const first = await send(path, body)
    const second = await send(path, body)
    expect([first.status, second.status, second.text]).toEqual([status, status, first.text])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.headers.get('allow')).toBe(first.headers.get('allow'))
    expect((await send(path, '{"other":1}')).status).toBe(409)
  }
})

test('a 500 is not stored: the same key may try again', async () => {
  const target = await addCard(opened.service.db)
  const cancel = (cardAccountId: string) =>
    opened.send('POST', '/cards/cancel', {
      body: JSON.stringify({ ...target, cardAccountId }),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'failed' },
    })
  expect((await cancel(randomUUID())).status).toBe(500)
  expect((await cancel(target.cardAccountId)).status).toBe(200)
})

test('a response is stored for 24 hours of sandbox time', async () => {
  const target = await addCard(opened.service.db)
  await lock(target, 'day')
  await opened.control('POST', '/clock', { advance: 'PT23H59M' })
  expect((await lock(target, 'day')).headers.get('idempotency-replayed')).toBe('true')
  await opened.control('POST', '/clock', { advance: 'PT2M' })
  const afresh = await lock(target, 'day')
  expect(afresh.headers.get('idempotency-replayed')).toBeNull()
  expect(afresh.json.code).toBe('CARD_ALREADY_LOCKED')
  expect((await lock(target, 'day')).text).toBe(afresh.text)
})

test('the effect and its response are stored or lost together', async () => {
  const target = await addCard(opened.service.db)
  await opened.service.db.execute(`alter table service.idempotency add constraint none check (key <> 'lost')`)
  expect((await lock(target, 'lost')).status).toBe(500)
  await opened.service.db.execute(`alter table service.idempotency drop constraint none`)
  const [card] = await opened.service.db.select().from(cards).where(eq(cards.id, target.cardId))
  expect(card?.status).toBe('active')
  expect(await effects(target)).toBe(0)
  expect(await opened.service.db.select().from(idempotency).where(eq(idempotency.key, 'lost'))).toEqual([])
})

test('refuses a key that is empty, too long or holds control characters', async () => {
  const target = await addCard(opened.service.db)
  for (const key of ['', ' ', 'k'.repeat(256), 'a\u0085b']) {
    expect(await lock(target, key)).toMatchObject({
      status: 400,
      json: { code: 'INVALID_PARAMETERS', message: expect.stringContaining('Idempotency-Key') },
    })
  }
  expect(await effects(target)).toBe(0)
})
