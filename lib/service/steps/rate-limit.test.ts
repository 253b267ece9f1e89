import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteExpired } from '#lib/db/retention.ts'
import { registerAccessKey } from '../access-keys.ts'
import { retentionRules } from '../retention.ts'
import { rateCounts } from '../tables/runtime.ts'
import { basic, testService, type TestResponse } from '../testing.ts'

const limits = ({ headers }: TestResponse) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) => headers.get(name))

test('counts per access key and endpoint, reports what is left, and refuses what is beyond', async () => {
  const { service, call } = await testService({ settings: { rateLimitPerMinute: 3 } })
  await waitForMinute()
  const remaining = []
  for (let place = 0; place < 3; place += 1) {
    const response = await call('ping')
    expect(response.status).toBe(200)
    const [limit, left, reset] = limits(response)
    expect(limit).toBe('3')
    expect(Number(reset)).toBeGreaterThan(0)
    expect(Number(reset)).toBeLessThanOrEqual(60_000)
    remaining.push(left)
  }
  expect(remaining).toEqual(['2', '1', '0'])

  const refused = await call('ping')
  expect(refused).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED' } })
  expect(limits(refused).slice(0, 2)).toEqual(['3', '0'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)

  expect((await call('listAccounts')).status).toBe(200)
  const other = randomUUID()
  const [known] = (
    await service.db.execute<{ pem: string }>(sql`select public_key_pem as pem from service.access_keys`)
  ).rows
  await registerAccessKey(service.db, { id: other, name: 'other', publicKeyPem: known?.pem ?? '' })
  expect((await call('ping', { headers: { authorization: basic(other) } })).status).toBe(200)
  expect(limits(await call('ping', { headers: { authorization: '' } }))).toEqual([null, null, null])
})

test('every authenticated response has the headers, errors and replays included; a 429 is not stored', async () => {
  const { call, send } = await testService({ settings: { rateLimitPerMinute: 2 } })
  await waitForMinute()
  const headers = { 'idempotency-key': 'limited' }
  const responses = [
    await call('lockCard', { headers }),
    await call('lockCard', { headers }),
    await call('lockCard', { headers }),
    await send('GET', '/nowhere'),
    await send('PUT', '/cards/lock'),
  ]
  expect(responses.map(({ status }) => status)).toEqual([400, 400, 429, 404, 405])
  for (const response of responses) expect(limits(response)).not.toContain(null)
  expect(responses[2]?.headers.get('idempotency-replayed')).toBeNull()
})

test('requests at once are all counted', async () => {
  const { call } = await testService({ settings: { rateLimitPerMinute: 50 } })
  await waitForMinute()
  const responses = await Promise.all(Array.from({ length: 60 }, () => call('ping')))
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(10)
  expect(new Set(responses.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(50)
})

test('a limit of 0 is none', async () => {
  const { service, call } = await testService({ settings: { rateLimitPerMinute: 0 } })
  expect(limits(await call('ping'))).toEqual([null, null, null])
  expect(await service.db.select().from(rateCounts)).toEqual([])
})

test('counts are stored where a commit costs no disk, and past minutes are taken away', async () => {
  const { service, call } = await testService({ settings: { rateLimitPerMinute: 5 } })
  const { rows } = await service.db.execute(
    sql`select relpersistence as persistence from pg_class where oid = 'service.rate_counts'::regclass`,
  )
  expect(rows).toEqual([{ persistence: 'u' }])

  await call('ping')
  await service.db.update(rateCounts).set({ minute: sql`${rateCounts.minute} - 60` })
  await call('ping')
  await deleteExpired(service.db, retentionRules)
  expect(await service.db.select().from(rateCounts)).toHaveLength(1)
})

/** A test that counts within a minute must not begin at the end of one. */
async function waitForMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 5_000) await new Promise((resolve) => setTimeout(resolve, left))
}
