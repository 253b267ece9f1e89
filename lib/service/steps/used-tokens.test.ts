import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#lib/db/connection.ts'
import { deleteExpired } from '#lib/db/retention.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { handleService } from '../handle.ts'
import { retentionRules } from '../retention.ts'
import { servicePrefix } from '../service-settings.ts'
import { idempotency, usedTokens } from '../tables/runtime.ts'
import { webhooks } from '../tables/webhooks.ts'
import { bearer, openTestService, type TestResponse, type TestService } from '../testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService()
})
afterAll(() => opened.close())

type Sending = { body: string; authorization: string; key?: string }

/** A request that creates a webhook, signed once; each time that it takes effect, there is another webhook of this URL. */
async function creation(): Promise<{ body: string; authorization: string; effects: () => Promise<number> }> {
  const url = `https://receiver.example/${randomUUID()}`
  const body = JSON.stringify({ url, events: ['*'] })
  const authorization = await bearer(opened.caller, 'POST', `${servicePrefix}/webhooks`, body)
  const effects = async () => (await opened.service.db.select().from(webhooks).where(eq(webhooks.url, url))).length
  return { body, authorization, effects }
}

function headersOf({ authorization, key }: Sending): Record<string, string> {
  return { 'content-type': 'application/json', authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) }
}

function send(sending: Sending): Promise<TestResponse> {
  return opened.send('POST', '/webhooks', { body: sending.body, headers: headersOf(sending) })
}

const replayed = { status: 401, json: { code: 'TOKEN_REPLAYED', message: expect.stringContaining('accepted before') } }

test('a POST without an idempotency key takes effect once per token, and the replay is a 401', async () => {
  const { effects, ...request } = await creation()
  expect((await send(request)).status).toBe(200)
  expect(await send(request)).toMatchObject(replayed)
  expect(await send(request)).toMatchObject(replayed)
  expect(await effects()).toBe(1)
})

test('the same request with a token of its own takes effect again', async () => {
  const { effects, body, authorization } = await creation()
  const another = await bearer(opened.caller, 'POST', `${servicePrefix}/webhooks`, body)
  for (const signed of [authorization, another]) expect((await send({ body, authorization: signed })).status).toBe(200)
  expect(await effects()).toBe(2)
})

test('a replay under the same idempotency key gets the stored response; under another key, or none, it is a 401', async () => {
  const { effects, ...request } = await creation()
  const key = randomUUID()
  const first = await send({ ...request, key })
  const again = await send({ ...request, key })
  expect(again).toMatchObject({ status: 200, text: first.text })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const otherKey = randomUUID()
  expect(await send({ ...request, key: otherKey })).toMatchObject(replayed)
  expect(await send(request)).toMatchObject(replayed)
  expect(await effects()).toBe(1)

  const honest = await creation()
  expect(await send({ ...honest, key: otherKey }), 'the 401 is not stored under its key').toMatchObject({ status: 200 })
})

test('a token without jti may be that of an equal request of the same second, and is a replay afterwards', async () => {
  const { effects, body } = await creation()
  const { accessKey, privateKeyPem } = opened.caller
  const now = Math.floor(Date.now() / 1000)
  const uri = `${servicePrefix}/webhooks`
  const claims = { sub: accessKey, uri, method: 'POST', body: sha256Hex(body), iat: now, exp: now + 25 }
  const key = readPrivateKey(privateKeyPem)
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(key)
  const request = { body, authorization: `Bearer ${token}` }
  for (let times = 0; times < 2; times += 1) expect((await send(request)).status).toBe(200)
  await opened.service.db.update(usedTokens).set({ usedAt: sql`clock_timestamp() - interval '2 seconds'` })
  expect(await send(request)).toMatchObject(replayed)
  expect(await effects()).toBe(2)
})

test('a token under the same idempotency key is a replay once its response is not kept any more', async () => {
  const { effects, ...request } = await creation()
  const key = randomUUID()
  expect((await send({ ...request, key })).status).toBe(200)
  await opened.service.db.delete(idempotency).where(eq(idempotency.key, key))
  expect(await send({ ...request, key })).toMatchObject(replayed)
  expect(await effects()).toBe(1)
})

test('of many replays at once, sent to several processes, one takes effect', async () => {
  const others = Array.from({ length: 3 }, () => connect(opened.databaseUrl, { max: 4, name: 'carddesk test' }))
  try {
    const { effects, ...request } = await creation()
    const statuses = await Promise.all(
      Array.from({ length: 24 }, async (_, place) => {
        const db = others[place % others.length] ?? opened.service.db
        const headers = headersOf(request)
        const sent = new Request(`http://service.test${servicePrefix}/webhooks`, {
          method: 'POST',
          body: request.body,
          headers,
        })
        return (await handleService(sent, undefined, { ...opened.service, db })).status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(23)
    expect(await effects()).toBe(1)
  } finally {
    await Promise.all(others.map((db) => db.$client.end()))
  }
})

test('many replays at once under one idempotency key all get the one response', async () => {
  const { effects, ...request } = await creation()
  const key = randomUUID()
  const responses = await Promise.all(Array.from({ length: 12 }, () => send({ ...request, key })))
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses[0]?.status).toBe(200)
  expect(await effects()).toBe(1)
})

test('a request that was refused has used no token, and the data of a dead token is deleted', async () => {
  const { db } = opened.service
  const body = JSON.stringify({ url: 'https://10.0.0.1/', events: ['*'] })
  const authorization = await bearer(opened.caller, 'POST', `${servicePrefix}/webhooks`, body)
  const before = await db.select().from(usedTokens)
  for (let times = 0; times < 2; times += 1) expect((await send({ body, authorization })).status).toBe(400)
  expect(await db.select().from(usedTokens)).toEqual(before)

  const { effects: _, ...request } = await creation()
  await send(request)
  await deleteExpired(opened.service.db, retentionRules)
  expect(await send(request)).toMatchObject(replayed)
  await db.update(usedTokens).set({ deadAt: new Date(Date.now() - 600_000) })
  await deleteExpired(opened.service.db, retentionRules)
  expect(await db.select().from(usedTokens)).toEqual([])
})
