import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callEndpoint } from '../payouts/testing.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards } from '../tables/cards.ts'
import { payouts } from '../tables/payouts.ts'
import { externalIds } from '../tables/runtime.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService
const ids: Record<string, string> = {}
let otherAccount = ''

beforeAll(async () => {
  service = await openTestService({ seeded: 20 })
  const { db } = service.service
  for (const [type, table] of [
    ['cardaccount', cardAccounts],
    ['card', cards],
    ['payout', payouts],
  ] as const) {
    const rows = await db.select({ id: table.id, xid: table.xid }).from(table).orderBy(table.id)
    const free = rows.filter(({ xid }) => xid === null)
    ids[type] = free[0]?.id ?? ''
    if (type === 'cardaccount') otherAccount = free[1]?.id ?? ''
  }
})
afterAll(() => service.close())

const set = (type: string, id: string, more: object) =>
  callEndpoint(service, 'setXmetadata', { body: { target: { type, id }, ...more } })

test.each(['cardaccount', 'card', 'payout'])(
  'sets, leaves, replaces and removes xid and xmetadata of a %s',
  async (type) => {
    const id = ids[type] ?? ''
    const target = { type, id }
    const xid = `mine-${type}`
    expect(await set(type, id, { xid, xmetadata: { team: ['a', 1, null] } })).toEqual({
      target,
      xid,
      xmetadata: { team: ['a', 1, null] },
    })
    expect(await set(type, id, {})).toEqual({ target, xid, xmetadata: { team: ['a', 1, null] } })
    expect(await set(type, id, { xmetadata: ['x', 'y'] })).toEqual({ target, xid, xmetadata: ['x', 'y'] })
    expect(await set(type, id, { xmetadata: 'text' })).toEqual({ target, xid, xmetadata: 'text' })
    expect(await set(type, id, { xid, xmetadata: null })).toEqual({ target, xid, xmetadata: null })
    expect(await set(type, id, { xid: null })).toEqual({ target, xid: null, xmetadata: null })
    const { db } = service.service
    expect(await db.select().from(externalIds).where(eq(externalIds.xid, xid))).toEqual([])
  },
)

test.each(['123', 'true', 'null', '{"a":1}', '["b"]', '"quoted"'])(
  'a text that happens to be JSON stays that text: %s',
  async (xmetadata) => {
    const target = { type: 'cardaccount', id: ids.cardaccount ?? '' }
    await set(target.type, target.id, { xmetadata })
    const { cardaccounts } = await callEndpoint(service, 'listCardAccounts', { query: { cardAccountId: target.id } })
    expect(cardaccounts.map((account) => account.xmetadata)).toEqual([xmetadata])
    expect(await set(target.type, target.id, {})).toMatchObject({ xmetadata })
  },
)

test('an xid is unique across all resources, and free again once it is given back', async () => {
  const [account = '', card = ''] = [ids.cardaccount, ids.card]
  await set('cardaccount', account, { xid: 'shared-1' })
  const taken = await service.call('setXmetadata', {
    body: { target: { type: 'card', id: card }, xid: 'shared-1', xmetadata: 'lost' },
  })
  expect([taken.status, taken.json.code]).toEqual([409, 'XID_ALREADY_EXISTS'])
  expect(await set('card', card, {})).toMatchObject({ xid: null, xmetadata: null })
  await set('cardaccount', account, { xid: 'shared-2' })
  expect(await set('card', card, { xid: 'shared-1' })).toMatchObject({ xid: 'shared-1' })
})

test('of many that take one xid at once, one gets it', async () => {
  const targets = [ids.cardaccount, otherAccount].flatMap((id) => Array.from({ length: 5 }, () => id ?? ''))
  await Promise.all(
    targets.map((id) =>
      service.call('setXmetadata', { body: { target: { type: 'cardaccount', id }, xid: 'contested' } }),
    ),
  )
  const { db } = service.service
  const owners = await db.select({ id: cardAccounts.id }).from(cardAccounts).where(eq(cardAccounts.xid, 'contested'))
  const [claimed] = await db.select().from(externalIds).where(eq(externalIds.xid, 'contested'))
  expect(owners).toEqual([{ id: claimed?.targetId }])
})

test.each([
  ['cardaccount', 'CARD_ACCOUNT_NOT_FOUND'],
  ['card', 'CARD_NOT_FOUND'],
  ['payout', 'PAYOUT_NOT_FOUND'],
])('refuses an unknown %s with %s', async (type, code) => {
  const { status, json } = await service.call('setXmetadata', {
    body: { target: { type, id: randomUUID() }, xid: 'x' },
  })
  expect([status, json.code]).toEqual([404, code])
})

test.each([
  [{ target: { type: 'webhook', id: randomUUID() } }, 'target.type'],
  [{ target: 'cardaccount' }, 'target'],
  [{}, 'target'],
  [{ target: { type: 'card', id: '5' }, xid: '', xmetadata: 5 }, 'target.id'],
  [{ target: { type: 'card', id: randomUUID() }, xid: 'x'.repeat(257) }, 'xid'],
  [{ target: { type: 'card', id: randomUUID() }, xmetadata: [1] }, 'xmetadata'],
])('refuses %j with INVALID_PARAMETERS', async (body, field) => {
  const { status, json } = await service.call('setXmetadata', { body })
  expect([status, json.code]).toEqual([400, 'INVALID_PARAMETERS'])
  expect(json.message).toContain(`${field}: `)
})
