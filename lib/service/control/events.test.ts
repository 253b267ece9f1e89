import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventTable } from '#lib/contract/events.ts'
import { type EventName, eventNames } from '#lib/contract/terms.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'
import { accountTransactions, payouts } from '../tables/payouts.ts'
import { webhookMessages } from '../tables/webhooks.ts'
import { eventsSince, lastEvent, openAccount, unknownId } from '../testing-accounts.ts'
import { openTestService, testService, type TestService } from '../testing.ts'

let service: TestService
let ids: Record<string, string>
beforeAll(async () => {
  service = await openTestService({ seeded: 12 })
  const { db } = service.service
  const account = await openAccount(service)
  const charge = await service.control('POST', '/charges', { ...account, amount: 5, currency: 'HKD' })
  const [payout] = await db.select({ id: payouts.id }).from(payouts).limit(1)
  const [entry] = await db.select({ id: accountTransactions.id }).from(accountTransactions).limit(1)
  ids = {
    ...account,
    transactionId: charge.json.id,
    payoutId: payout?.id ?? '',
    accountTransactionId: entry?.id ?? '',
  }
})
afterAll(() => service.close())

const emit = (body: unknown) => service.control('POST', '/events', body)

test.each(eventNames)('%s is recorded and queued with the data of the contract', async (event: EventName) => {
  const body = { url: 'http://127.0.0.1:9/hook', events: [event] }
  const webhook = (await service.call('createWebhook', { body })).json
  const since = await lastEvent(service)
  const { status, json, text } = await emit({ event, ...ids })
  expect(status, text).toBe(200)
  expect(eventTable[event].data.safeParse(json.data).error).toBeUndefined()
  expect(await eventsSince(service, since)).toEqual([{ event, data: json.data }])
  const messages = await service.service.db
    .select({ body: webhookMessages.body })
    .from(webhookMessages)
    .where(sql`${webhookMessages.webhookId} = ${webhook.id} and ${webhookMessages.eventId} = ${json.id}`)
  expect(messages.map(({ body }) => JSON.parse(body))).toEqual([json])
})

test('given data takes the place of fields of the record, or of the record', async () => {
  const { cardId } = ids
  const { json } = await emit({ event: 'card.updated', cardId, data: { status: 'teleported' } })
  expect(json.data).toMatchObject({ id: cardId, status: 'teleported' })
  expect((await emit({ event: 'card.updated', data: { anything: [1] } })).json.data).toEqual({ anything: [1] })
  expect((await emit({ event: 'card.exploded', data: {} })).json).toMatchObject({ event: 'card.exploded', data: {} })
})

test.each([
  [{ event: 'card.exploded' }, 400, 'event: must be one of cardaccount.client-identity.approved'],
  [{ event: 'card.updated' }, 400, 'cardId: is required for card.updated without data'],
  [{ event: 'card.updated', cardId: unknownId }, 404, 'cardId: there is no such record'],
  [{ event: 'payout.updated', payoutId: 'x' }, 400, 'payoutId: must be a UUID'],
  [{ event: 'ping', data: [] }, 400, 'data: must be an object'],
  [{}, 400, 'event: is required'],
])('%j is refused with %i: %s', async (body, status, problem) => {
  const since = await lastEvent(service)
  const response = await emit(body)
  expect(response.status).toBe(status)
  expect(response.text).toContain(problem)
  expect(await eventsSince(service, since)).toEqual([])
})

test('lists the events as they are delivered: bytes, signature, position', async () => {
  const service = await testService({ seeded: 1 })
  const emit = async (event: string, name: string) =>
    (await service.control('POST', '/events', { event, data: { name } })).json.id as string
  const first = await emit('card.updated', 'first')
  const { now } = (await service.control('GET', '/clock')).json
  await service.control('POST', '/clock', { advance: 'PT1H' })
  const second = await emit('payout.created', 'second')
  const list = async (query: string) => (await service.control('GET', `/events?${query}`)).json
  const { events, resends, latest } = await list('')
  expect(events.map(({ id }: { id: string }) => id)).toEqual([first, second])
  expect(resends).toEqual([])
  const [one] = events
  expect(JSON.parse(one.body)).toEqual({ id: first, event: 'card.updated', data: { name: 'first' }, time: one.time })
  expect(verifyWebhook(one.body, one.signature, readPublicKey(testKeyPair.publicKey))).toBe(true)
  expect(latest.event).toBe(events[1].position)
  const ids = async (query: string) => (await list(query)).events.map(({ id }: { id: string }) => id)
  expect(await ids(`since=${new Date(Date.parse(now) + 1000).toISOString()}`)).toEqual([second])
  expect(await ids(`after=${one.position}`)).toEqual([second])
  expect(await ids('event=card.updated')).toEqual([first])
  expect(await ids('limit=1')).toEqual([first])
  for (const wrong of ['event=a%00b', 'since=0000-01-01T00:00:00Z']) {
    expect((await service.control('GET', `/events?${wrong}`)).status).toBe(400)
  }
})

test('signs a delivery that is neither stored nor sent', async () => {
  const service = await testService({ seeded: 1 })
  const body = { event: 'card.updated', data: { id: 'a', new: true }, time: '2026-01-02T03:04:05.000Z' }
  const { status, json } = await service.control('POST', '/deliveries/sign', body)
  expect(status).toBe(200)
  expect(JSON.parse(json.body)).toEqual({ id: json.id, ...body })
  expect(verifyWebhook(json.body, json.signature, readPublicKey(testKeyPair.publicKey))).toBe(true)
  expect((await service.control('GET', '/events')).json.events).toEqual([])
})
