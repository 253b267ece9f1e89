import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { openTestService, type TestService } from '../testing.ts'
import { addWebhook, advance, openReceivers, recordNumbered } from '../webhooks/testing.ts'

const receivers = openReceivers()
let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ transport: receivers.transport })
})
afterAll(() => opened.close())

type Logged = Record<'id' | 'eventId' | 'event' | 'kind' | 'at', string> & {
  attempt: number
  status: number | null
  problem: string | null
  nextAt: string | null
}

async function logOf(webhookId: string, search = '') {
  const { status, json } = await opened.control('GET', `/deliveries?webhookId=${webhookId}${search}`)
  expect(status).toBe(200)
  return json as { attempts: Logged[]; nextCursor: string | null; next: object | null }
}

test('the log has every attempt with its reason and the next one, also a test and a replay', async () => {
  const url = 'https://receiver.example/log'
  let isWell = false
  receivers.response(url, () => isWell)
  const webhookId = await addWebhook(opened.service.db, url, { status: 'healthy' })
  await recordNumbered(opened.service.db, [1])
  await advance(opened.service, secondMs)
  await advance(opened.service, 5 * secondMs)
  const failing = await logOf(webhookId)
  expect(failing.attempts).toMatchObject([
    { kind: 'delivery', attempt: 2, status: 500, problem: 'HTTP_STATUS' },
    { kind: 'delivery', attempt: 1, status: 500, problem: 'HTTP_STATUS' },
  ])
  const [second, first] = failing.attempts
  expect(second?.eventId).toBe(first?.eventId)
  expect(first?.nextAt).toBe(second?.at)
  expect(failing.next).toMatchObject({ at: second?.nextAt, attempt: 3, kind: 'delivery' })

  isWell = true
  await opened.control('POST', '/pings', { webhookId })
  await advance(opened.service, 5 * minuteMs)
  expect((await logOf(webhookId)).attempts).toMatchObject([
    { kind: 'delivery', status: 200, problem: null, nextAt: null },
    { kind: 'test', event: 'ping', status: 200 },
    {},
    {},
  ])
  const eventId = first?.eventId ?? ''
  const replayed = await opened.control('POST', '/deliveries/replay', { webhookId, eventId })
  expect(replayed.json).toMatchObject({ delivered: true, status: 200, problem: null })
  const bodies = receivers.attempts(url).filter(({ id }) => id === eventId)
  expect(new Set(bodies.map(({ body }) => body)).size).toBe(1)
  const after = await logOf(webhookId, '&limit=1')
  expect(after.attempts).toMatchObject([{ kind: 'replay', eventId }])
  expect((await logOf(webhookId, `&limit=1&cursor=${after.nextCursor}`)).attempts).toMatchObject([{ kind: 'delivery' }])
})

test('an unknown webhook or event is named', async () => {
  const webhookId = randomUUID()
  expect((await opened.control('GET', `/deliveries?webhookId=${webhookId}`)).json.code).toBe('WEBHOOK_NOT_FOUND')
  const known = await addWebhook(opened.service.db, 'https://receiver.example/unknown', { status: 'healthy' })
  const replay = (of: string) => opened.control('POST', '/deliveries/replay', { webhookId: of, eventId: randomUUID() })
  expect((await replay(webhookId)).json.code).toBe('WEBHOOK_NOT_FOUND')
  expect((await replay(known)).json).toMatchObject({
    code: 'INVALID_PARAMETERS',
    message: 'eventId: must be an event of the last 90 days',
  })
})
