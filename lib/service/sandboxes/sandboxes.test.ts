import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '#lib/db/connection.ts'
import { dayMs, hourMs } from '#lib/shared/time.ts'
import { openCardNumber } from '../card-number.ts'
import { cards } from '../tables/cards.ts'
import {
  basic,
  bearer,
  openTestService,
  testCardNumberKey,
  testService,
  type TestResponse,
  type TestService,
} from '../testing.ts'
import { openReceivers } from '../webhooks/testing.ts'
import { startServiceWork } from '../work.ts'
import { mostSandboxes, serviceInSandbox } from './sandboxes.ts'
import { makeCallers, makeSandbox } from './testing.ts'

const receivers = openReceivers()
let service: TestService
beforeAll(async () => {
  service = await openTestService({ seeded: 3, transport: receivers.transport })
})
afterAll(() => service.close())

async function schemasOf(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select nspname as name from pg_namespace where starts_with(nspname, 'service_sandbox_') order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** What the database says of a schema's tables: columns with defaults, constraints, and the columns of indexes. */
async function structureOf(db: Database, schema: string): Promise<string[]> {
  const { rows } = await db.execute<{ line: string }>(sql`
    with tables as (
      select oid, relname from pg_class
      where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p') and not relispartition
    )
    select relname || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' '
      || coalesce(pg_get_expr(adbin, adrelid), '') as line
    from tables join pg_attribute on attrelid = oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select relname || ' ' || pg_get_constraintdef(c.oid) from tables join pg_constraint c on conrelid = tables.oid
      where contype in ('c', 'f', 'p', 'u')
    union all
    select relname || ' ' || indisunique || regexp_replace(pg_get_indexdef(indexrelid), '^.* USING', '')
      from tables join pg_index on indrelid = tables.oid
    order by 1`)
  return rows.map(({ line }) => line.replaceAll(`${schema}.`, ''))
}

/** A sandbox, or the service that everybody shares. */
type Reader = { send: (method: string, path: string) => Promise<TestResponse> }

const accountsOf = async (of: Reader) =>
  (await of.send('GET', '/cardaccounts')).json.cardaccounts as { id: string; limit: number }[]

describe('a sandbox', () => {
  test('has addresses of its own, expires in an hour, and holds the seed', async () => {
    const sandbox = await makeSandbox(service)
    expect(sandbox.baseUrl).toBe(`http://service.test/service/sandboxes/${sandbox.id}/v1`)
    expect(sandbox.controlUrl).toBe(`http://service.test/service/sandboxes/${sandbox.id}/control`)
    expect(Date.parse(sandbox.expiresAt) - Date.parse(sandbox.createdAt)).toBe(hourMs)
    expect(await accountsOf(sandbox)).toHaveLength(3)
    const { json } = await service.control('GET', '/sandboxes')
    expect(json.sandboxes).toContainEqual(expect.objectContaining({ id: sandbox.id, from: 'seed' }))
    expect((await service.control('GET', `/sandboxes?id=${sandbox.id}`)).json.baseUrl).toBe(sandbox.baseUrl)
  })

  test('has every column, default, constraint and index of the service, and sequences of its own', async () => {
    const { id } = await makeSandbox(service)
    const { db } = service.service
    expect(await structureOf(db, `service_sandbox_${id}`)).toEqual(await structureOf(db, 'service'))
  })

  test('takes a token that is signed for its own path, and no other', async () => {
    const sandbox = await makeSandbox(service)
    const path = `/service/sandboxes/${sandbox.id}/v1/cardaccounts`
    const own = await bearer(service.caller, 'GET', path)
    expect((await sandbox.send('GET', '/cardaccounts', undefined, { authorization: own })).status).toBe(200)
    const other = await bearer(service.caller, 'GET', '/service/v1/cardaccounts')
    expect((await sandbox.send('GET', '/cardaccounts', undefined, { authorization: other })).status).toBe(401)
  })

  test('has an access key that no other sandbox takes, and a request log of all its callers', async () => {
    const [one, other] = await Promise.all([makeSandbox(service), makeSandbox(service)])
    const own = { authorization: basic(one.accessKey) }
    expect((await one.send('GET', '/cardaccounts', undefined, own)).status).toBe(200)
    expect((await other.send('GET', '/cardaccounts', undefined, own)).status).toBe(401)
    expect((await service.send('GET', '/cardaccounts', { headers: own })).status).toBe(401)
    const logged = (await one.control('GET', '/requests')).json.requests as { path: string }[]
    expect(logged.map(({ path }) => path)).toEqual(['/cardaccounts'])
    expect((await service.control('GET', `/sandboxes?id=${one.id}`)).json.accessKey).toBe(one.accessKey)
  })

  test('signs by a key of its own, unless one is given for all', async () => {
    const keyOf = async (of: Pick<typeof service, 'control'>) => (await of.control('GET', '/webhook-key')).text
    const [own, ofService] = [await keyOf(await makeSandbox(service)), await keyOf(service)]
    expect(own).toContain('BEGIN PUBLIC KEY')
    expect(own).not.toBe(ofService)
    service.service.settings.hasGivenWebhookKey = true
    onTestFinished(() => void (service.service.settings.hasGivenWebhookKey = false))
    expect(await keyOf(await makeSandbox(service))).toBe(ofService)
  })

  test('its document names its own base address', async () => {
    const sandbox = await makeSandbox(service)
    expect((await sandbox.send('GET', '/openapi.json')).json.servers[0].url).toBe(sandbox.baseUrl)
  })

  test('has no sandboxes of its own, and snapshots that nobody else has', async () => {
    const sandbox = await makeSandbox(service)
    expect((await sandbox.control('GET', '/sandboxes')).status).toBe(404)
    const taken = await sandbox.control('POST', '/snapshots', { name: 'mine' })
    expect(taken.json).toMatchObject({ name: 'mine', cardAccounts: 3 })
    expect((await service.control('GET', '/snapshots')).json.snapshots).toEqual([])
    await sandbox.control('POST', '/faults', { path: '/fees', status: 503 })
    expect((await sandbox.control('POST', '/snapshots/restore', { id: taken.json.id })).status).toBe(200)
    expect((await sandbox.control('GET', '/faults')).json.faults).toEqual([])
  })

  test.each([`After the service's restart`, 'service.v1'])(
    'keeps the name of a snapshot as it is: %s',
    async (name) => {
      const sandbox = await makeSandbox(service)
      expect((await sandbox.control('POST', '/snapshots', { name })).json).toMatchObject({ name, cardAccounts: 3 })
      expect(await sandbox.control('POST', '/snapshots', { name })).toMatchObject({ status: 400 })
    },
  )

  test('of a snapshot holds its records, its clock and its modes, and none of its webhooks', async () => {
    const of = await testService({ seeded: 2 })
    const [account] = await accountsOf(of)
    await of.call('createWebhook', { body: { name: 'w', url: 'http://127.0.0.1:9/w', events: ['*'] } })
    await of.control('POST', '/clock', { advance: 'P40D', freeze: true })
    await of.control('POST', '/modes', { idForm: 'upper-case' })
    const { now } = (await of.control('GET', '/clock')).json
    const { id } = (await of.control('POST', '/snapshots', { name: 'later' })).json
    await of.control('POST', '/reset')
    const byName = await makeSandbox(of, { from: 'later' })
    expect((await byName.control('GET', '/clock')).json).toEqual({ now, isFrozen: true })
    expect((await accountsOf(byName)).map((one) => one.id)).toContain(account?.id.toUpperCase())
    expect((await byName.control('GET', '/contents')).json).toMatchObject({ cardAccounts: 2, webhooks: 0 })
    expect((await makeSandbox(of, { from: id })).from).toBe(id)
    expect(await of.control('POST', '/sandboxes', { from: 'never' })).toMatchObject({ status: 404 })
    expect(await schemasOf(of.service.db)).toHaveLength(2)
  })

  test.each([
    [{ ttl: 'PT25H' }, 'ttl: must be at most PT24H'],
    [{ ttl: 'soon' }, 'ttl: must be a positive ISO 8601 duration'],
    [{ form: 'seed' }, 'form'],
  ])('refuses %j', async (given, message) => {
    const refused = await service.control('POST', '/sandboxes', given)
    expect(refused.status).toBe(400)
    expect(refused.json.message).toContain(message)
  })
})

describe('nothing crosses over', () => {
  test('records and ids', async () => {
    const [one, other] = await Promise.all([makeSandbox(service), makeSandbox(service)])
    const [account] = await accountsOf(one)
    const given = { cardAccountId: account?.id, intent: 'late-payment', amount: 12 }
    const fee = await one.control('POST', '/fees', given)
    expect(fee.status, fee.text).toBe(200)
    const feesOf = async (of: Reader) =>
      (await of.send('GET', '/fees?pageSize=100')).json.fees.map(({ id }: { id: string }) => id) as string[]
    expect(await feesOf(one)).toContain(fee.json.id)
    expect(await feesOf(other)).not.toContain(fee.json.id)
    expect(await feesOf(service)).not.toContain(fee.json.id)
  })

  test('clock, due work, faults, modes and reset', async () => {
    const [one, other] = await Promise.all([makeSandbox(service), makeSandbox(service)])
    await Promise.all([
      one.control('POST', '/clock', { advance: 'P30D' }),
      other.control('POST', '/clock', { advance: 'P60D', freeze: true }),
      one.control('POST', '/faults', { path: '/fees', status: 503, times: 'always' }),
      other.control('POST', '/modes', { idForm: 'prefixed' }),
    ])
    const daysOf = async (of: Pick<typeof one, 'control'>) =>
      Math.round((Date.parse((await of.control('GET', '/clock')).json.now) - Date.now()) / dayMs) + 0
    expect([await daysOf(one), await daysOf(other), await daysOf(service)]).toEqual([30, 60, 0])
    const feesOf = async (of: Reader) => (await of.send('GET', '/fees')).status
    expect([await feesOf(one), await feesOf(other), await feesOf(service)]).toEqual([503, 200, 200])
    expect((await accountsOf(other))[0]?.id).toMatch(/^id_/)
    expect((await accountsOf(service))[0]?.id).toMatch(/^[0-9a-f-]{36}$/)
    await other.control('POST', '/reset')
    expect([await daysOf(one), await daysOf(other)]).toEqual([30, 0])
    expect((await one.control('GET', '/faults')).json.faults).toHaveLength(1)
  })

  test('idempotency keys', async () => {
    const [one, other] = await Promise.all([makeSandbox(service), makeSandbox(service)])
    const body = { name: 'same', url: 'http://127.0.0.1:9/same', events: ['*'] }
    const key = { 'idempotency-key': 'the same key' }
    const first = await one.send('POST', '/webhooks', body, key)
    const second = await other.send('POST', '/webhooks', { ...body, name: 'different' }, key)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.json.id).not.toBe(first.json.id)
  })

  test('events and webhooks, delivered by the background work of one process', async () => {
    onTestFinished(startServiceWork(service.service))
    const [one, other] = await Promise.all([makeSandbox(service), makeSandbox(service)])
    const webhook = (name: string) => ({ name, url: `http://127.0.0.1:9/${name}`, events: ['*'] })
    await one.send('POST', '/webhooks', webhook('one'))
    await other.send('POST', '/webhooks', webhook('other'))
    const [account] = await accountsOf(one)
    const charge = await one.control('POST', '/charges', await chargeOf(one, account?.id ?? ''))
    expect(charge.status, charge.text).toBe(200)
    const eventsAt = (name: string) => receivers.attempts(`http://127.0.0.1:9/${name}`).map(({ event }) => event)
    await vi.waitFor(() => expect(eventsAt('one').length).toBeGreaterThan(1), { timeout: 10_000 })
    await vi.waitFor(() => expect(eventsAt('other')).toEqual(['ping']), { timeout: 10_000 })
    const countOf = async (of: Pick<typeof one, 'control'>) => (await of.control('GET', '/events')).json.events.length
    expect([await countOf(one), await countOf(other), await countOf(service)]).toEqual([2, 0, 0])
  })
})

async function chargeOf({ send }: Reader, cardAccountId: string) {
  const { json } = await send('GET', `/cards?cardAccountId=${cardAccountId}`)
  const card = json.cards.find(({ status }: { status: string }) => status === 'active')
  return { cardAccountId, cardId: card.id, amount: 1, currency: 'HKD' }
}

test('card numbers in a sandbox are sealed again when the key is replaced', async () => {
  const of = await testService({ seeded: 1 })
  const { id } = await makeSandbox(of)
  const cardNumberKey = Buffer.alloc(32, 9)
  const settings = { ...of.service.settings, cardNumberKey, previousCardNumberKey: testCardNumberKey }
  onTestFinished(startServiceWork({ ...of.service, settings }))
  const { db } = serviceInSandbox(of.service, id)
  await vi.waitFor(
    async () => {
      const [card] = await db.select().from(cards).limit(1)
      expect(openCardNumber(card?.sealedNumber ?? Buffer.alloc(0), card?.id ?? '', cardNumberKey)).toMatch(/^9999/)
    },
    { timeout: 10_000 },
  )
})

describe('the end of a sandbox', () => {
  test('deleted, it is gone at once, and its schema and snapshots a moment later', async () => {
    const of = await testService()
    const sandbox = await makeSandbox(of)
    await sandbox.control('POST', '/snapshots', { name: 'mine' })
    onTestFinished(startServiceWork(of.service))
    expect(await schemasOf(of.service.db)).toHaveLength(2)
    expect((await of.control('DELETE', `/sandboxes?id=${sandbox.id}`)).json).toEqual({ sandboxes: [] })
    const gone = await sandbox.send('GET', '/cardaccounts')
    expect(gone).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
    expect(gone.json.message).toContain(`there is no sandbox ${sandbox.id}: it has expired`)
    expect((await of.control('DELETE', `/sandboxes?id=${sandbox.id}`)).status).toBe(404)
    await vi.waitFor(async () => expect(await schemasOf(of.service.db)).toEqual([]), { timeout: 15_000 })
  })

  test('one that expired while no process ran goes at the next start, and one that lives goes on', async () => {
    const of = await testService()
    const [expiring, living] = await Promise.all([makeSandbox(of, { ttl: 'PT1S' }), makeSandbox(of)])
    await living.control('POST', '/clock', { advance: 'P5D' })
    await vi.waitFor(async () => expect((await expiring.send('GET', '/fees')).status).toBe(404), { timeout: 5000 })
    // A service of another process: nothing is cached in it.
    const restarted = { ...of, service: { ...of.service } }
    onTestFinished(startServiceWork(restarted.service))
    await vi.waitFor(async () => expect(await schemasOf(of.service.db)).toHaveLength(1), { timeout: 15_000 })
    const { json } = await makeCallers(restarted, living).control('GET', '/clock')
    expect(Date.parse(json.now) - Date.now()).toBeGreaterThan(4 * dayMs)
  })

  test('one that was being filled when its process died is dropped after ten minutes', async () => {
    const of = await testService()
    const describe = async (id: string, createdAt: Date) => {
      const schema = sql.identifier(`service_sandbox_${id}`)
      const expiresAt = new Date(Date.now() + dayMs)
      const about = JSON.stringify({ from: 'seed', accessKey: id, createdAt, expiresAt, isReady: false })
      await of.service.db.execute(sql`create schema ${schema}`)
      await of.service.db.execute(sql`comment on schema ${schema} is ${sql.raw(`'${about}'`)}`)
    }
    await describe('000000000000000a', new Date(Date.now() - hourMs))
    await describe('000000000000000b', new Date())
    onTestFinished(startServiceWork(of.service))
    await vi.waitFor(async () => expect(await schemasOf(of.service.db)).toEqual(['service_sandbox_000000000000000b']), {
      timeout: 5000,
    })
  })

  test('a delivery that is under way ends before the schema is dropped', async () => {
    const slow = openReceivers()
    const of = await testService({ transport: slow.transport })
    onTestFinished(startServiceWork(of.service))
    const sandbox = await makeSandbox(of)
    const url = 'http://127.0.0.1:9/slow'
    const wasThere: number[] = []
    slow.response(url, async () => {
      await delay(4000)
      wasThere.push((await schemasOf(of.service.db)).length)
      return false
    })
    await sandbox.send('POST', '/webhooks', { name: 'slow', url, events: ['*'] })
    await vi.waitFor(() => expect(slow.attempts(url)).toHaveLength(1), { timeout: 5000 })
    await of.control('DELETE', `/sandboxes?id=${sandbox.id}`)
    await vi.waitFor(async () => expect(await schemasOf(of.service.db)).toEqual([]), { timeout: 15_000 })
    expect(wasThere).toEqual([1])
  })

  test('one whose tables another version made is ended', async () => {
    const of = await testService()
    const { id } = await makeSandbox(of)
    await of.service.db.execute(sql.raw(`alter table service_sandbox_${id}.fees add column old text`))
    onTestFinished(startServiceWork(of.service))
    await vi.waitFor(async () => expect((await of.control('GET', '/sandboxes')).json.sandboxes).toEqual([]))
  })

  test(`there are at most ${mostSandboxes}, also when they are asked for at once`, async () => {
    const of = await testService({ settings: { seededCardAccounts: 0 } })
    const asked = Array.from({ length: mostSandboxes + 2 }, () => of.control('POST', '/sandboxes', {}))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(mostSandboxes)
    const refused = await of.control('POST', '/sandboxes', {})
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(refused.json.message).toContain(`there are ${mostSandboxes} sandboxes; delete one first`)
    expect(await schemasOf(of.service.db)).toHaveLength(mostSandboxes)
  })
})
