import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventTable } from '#lib/contract/events.ts'
import { type EventName, eventNames } from '#lib/contract/terms.ts'
import { accountTransactions, payouts } from '../tables/payouts.ts'
import { webhookMessages } from '../tables/webhooks.ts'
import { eventsSince, lastEvent, openAccount, unknownId } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

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
