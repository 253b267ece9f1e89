import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { contractProfile } from '#lib/client/service-profile.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { otherTestKeyPair } from '#lib/signing/testing.ts'
import vectors from '#lib/signing/vectors/webhook-signatures.json' with { type: 'json' }
import { signWebhook } from '#lib/signing/webhook-signature.ts'
import { inboxCounts, inboxEvents } from '#lib/tables/inbox.ts'
import { captureLog } from '../testing/capture-log.ts'
import {
  readInboxCounts,
  deliver,
  makeEvent,
  readInboxEvents,
  post,
  setWebhookKey,
  signingKey,
} from '../testing/deliveries.ts'
import { shareConsole } from '../testing/open-console.ts'
import { applyingDone } from './apply.ts'
import { receiveDelivery } from './receive.ts'

const desk = shareConsole({ seeded: 1 })
/** What `fetch` wants beside a body that is a stream. */
const streaming = { duplex: 'half' }

beforeEach(async () => {
  await desk.db.delete(inboxEvents)
  await desk.db.delete(inboxCounts)
})

test.each(vectors.cases)(
  'a delivery signed with openssl ($name): stored exactly where the signature holds',
  async (vector) => {
    await signingKey()
    setWebhookKey(vectors.publicKey)
    for (const signature of [vector.base64, vector.hex]) {
      const { status } = await post(vector.body, signature)
      expect(status === 401).toBe(!vector.expect)
    }
    await applyingDone()
    if (!vector.expect) expect(await readInboxEvents(desk)).toEqual([])
  },
)

test('a delivery with a wrong, missing or borrowed signature is 401 and stored nowhere, only counted and logged', async () => {
  const log = captureLog()
  const key = await signingKey()
  const other = readPrivateKey(otherTestKeyPair.privateKey)
  const body = JSON.stringify(makeEvent('ping'))
  const right = await signWebhook(body, key)
  for (const [text, signature] of [
    [body, await signWebhook(body, other)],
    [body, null],
    [body, ''],
    [body, 'AAAA'],
    [body, `${right} `.repeat(2)],
    [`${body} `, right],
    [body.replace('ping', 'pong'), right],
    ['', right],
  ] as const) {
    expect((await post(text, signature)).status).toBe(401)
  }
  expect(await readInboxEvents(desk)).toEqual([])
  expect(await readInboxCounts(desk)).toEqual({ signature: 8 })
  expect(log()).toContain('refused: deliveries without a right signature')
  expect((await post(body, right)).status).toBe(200)
  await applyingDone()
})

test('a delivery without a signature is 401 before its body is read', async () => {
  for (const signature of [null, 'AAAA', '<script>', 'A'.repeat(5000)]) {
    let isRead = false
    const body = new ReadableStream<Uint8Array>({ pull: () => void (isRead = true) }, { highWaterMark: 0 })
    const headers: Record<string, string> = signature === null ? {} : { 'x-access-signature': signature }
    const request = new Request('http://console.test/', { method: 'POST', body, headers, ...streaming })
    expect((await receiveDelivery(request, 'sandbox')).status).toBe(401)
    expect(isRead).toBe(false)
  }
})

test('a delivery whose sender goes away in the middle is no failure of the console', async () => {
  const key = await signingKey()
  const lines = captureLog()
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('aborted')) })
  const headers = { 'x-access-signature': await signWebhook('{}', key) }
  const request = new Request('http://console.test/', { method: 'POST', body, headers, ...streaming })
  expect((await receiveDelivery(request, 'sandbox')).status).toBe(400)
  expect(lines()).toBe('')
})

test('a delivery over 1 MiB is 413 before its signature is verified, with a content length or without', async () => {
  const key = await signingKey()
  const text = JSON.stringify(makeEvent('ping', { filler: 'x'.repeat(1024 * 1024) }))
  expect((await deliver(key, text)).status).toBe(413)
  const exact = JSON.stringify(makeEvent('ping', { filler: '' }))
  const largest = exact.replace('"filler":""', `"filler":"${'x'.repeat(1024 * 1024 - exact.length)}"`)
  expect((await deliver(key, largest)).status).toBe(200)
  await applyingDone()
  expect(await readInboxEvents(desk)).toHaveLength(1)
})

test.each([
  ['not JSON', '{"id":'],
  ['nothing at all', ''],
  ['an array', '[]'],
  ['null', 'null'],
  ['a text', '"id"'],
  ['without an id', '{"event":"ping","data":{},"time":"2026-08-01T00:00:00.000Z"}'],
  ['an empty id', '{"id":"","event":"ping"}'],
  ['a number for an id', '{"id":7}'],
  ['a NUL in its id', String.raw`{"id":"a\u0000b"}`],
  ['half a surrogate pair in its id', String.raw`{"id":"\ud800"}`],
])('a delivery with a right signature that is %s: 400, not stored, no crash', async (_name, text) => {
  expect((await deliver(await signingKey(), text)).status).toBe(400)
  expect(await readInboxEvents(desk)).toEqual([])
})

test.each([
  ['an event that nobody knows', makeEvent('card.teleported', { anything: [1, { deep: null }] })],
  ['data that is no object', { ...makeEvent('card.updated'), data: 'text' }],
  ['no time', { id: randomUUID(), event: 'ping', data: {} }],
  ['a time that is none', { ...makeEvent('ping'), time: 'yesterday' }],
  ['a time beyond all calendars', { ...makeEvent('ping'), time: '+275760-09-13T00:00:00.000Z' }],
  ['an event name with control characters', { ...makeEvent('x'), event: 'a\u0000b' }],
  ['an event called constructor', makeEvent('constructor', { cardAccountId: 'not a uuid' })],
  ['an event called __proto__', makeEvent('__proto__')],
  ['nothing but an id', { id: 'evt_123' }],
  ['hostile text everywhere', makeEvent('<script>', { x: "'; drop table console.inbox_events; --\u0000\ud800" })],
])('a delivery of unknown shape (%s) is kept as unknown, answered 200 and applied', async (_name, value) => {
  expect((await deliver(await signingKey(), value)).status).toBe(200)
  await applyingDone()
  const [row] = await readInboxEvents(desk)
  expect(row).toMatchObject({ isKnown: false, body: JSON.stringify(value), problem: null })
  expect(row?.appliedAt).toBeInstanceOf(Date)
})

test('a delivery of any JSON with a right signature never crashes, and gets 200 or 400', async () => {
  const key = await signingKey()
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.json(), fc.string(), fc.record({ id: fc.string(), event: fc.string() })),
      async (value) => {
        expect([200, 400]).toContain((await deliver(key, value)).status)
      },
    ),
    { numRuns: 60 },
  )
  await applyingDone()
})

test('a delivery to an environment without a key is 503, to no environment 404', async () => {
  expect((await post('{}', 'A'.repeat(344))).status).toBe(503)
  expect((await post('{}', 'A'.repeat(344), 'nowhere')).status).toBe(404)
})

test('a delivery is verified with the built-in service’s key, which is read once', async () => {
  const key = await signingKey()
  const publicKey = consoleSettings().webhookKeys.sandbox
  setWebhookKey(null)
  process.env.BUILT_IN_SERVICE = 'on'
  delete (globalThis as { carddeskWebhookKeys?: unknown }).carddeskWebhookKeys
  let requested = 0
  desk.intercept.before = (request, response) => {
    if (request.url !== '/service/control/webhook-key') return false
    requested += 1
    response.end(publicKey)
    return true
  }
  try {
    const sent = await Promise.all(Array.from({ length: 5 }, () => deliver(key, makeEvent('ping'))))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (let times = 0; times < 5; times += 1) expect((await post('{}', 'AAAA')).status).toBe(401)
    expect(requested).toBe(1)
  } finally {
    delete process.env.BUILT_IN_SERVICE
    delete (globalThis as { carddeskWebhookKeys?: unknown }).carddeskWebhookKeys
    await applyingDone()
  }
})

test('a card number of a delivery is stored nowhere, however deep and in whatever form it came', async () => {
  const key = await signingKey()
  const planted = ['4242424242424242', '4242 4242 4242 4242', '5555-5555-5555-4444']
  const hidden = { ...makeEvent('card.renamed'), note: [{ deep: { pan: planted[0], text: `lost: ${planted[1]}` } }] }
  const number = JSON.stringify({ ...makeEvent('ping'), n: 0 }).replace('"n":0', '"n":4242424242424242,"n":1')
  const name = { ...makeEvent(`card ${planted[2]}`), [planted[0] ?? '']: 1 }
  for (const body of [hidden, number, name]) expect((await deliver(key, body)).status).toBe(200)
  await applyingDone()
  const stored = await readInboxEvents(desk)
  expect(stored).toHaveLength(3)
  expect(JSON.stringify(stored).replaceAll(/[\s-]/g, '')).not.toMatch(/4242424242424242|5555555555554444/)
  expect(stored[0]?.body).toContain('"text":"lost: •••• 4242"')
})

test('ids that look like card numbers stay: the event is stored under its own and about its record', async () => {
  const key = await signingKey()
  const [id, transaction, account, card] = [
    '4242424242424242',
    '5555555555554444',
    '4000000000000000774',
    '4111111111111111',
  ]
  const data = {
    id: transaction,
    cardAccountId: account,
    cardId: Number(card),
    xid: id,
    description: `Paid by ${card}`,
  }
  expect((await deliver(key, makeEvent('cardaccount.transaction.updated', data, id))).status).toBe(200)
  await applyingDone()
  expect(await readInboxEvents(desk)).toMatchObject([
    {
      id,
      transactionId: transaction,
      cardAccountId: account,
      cardId: card,
      body: expect.stringContaining(JSON.stringify({ ...data, description: 'Paid by •••• 1111' })),
    },
  ])
})

test('a delivery without a card number is stored byte by byte', async () => {
  const key = await signingKey()
  const body = `{ "id": "${randomUUID()}", "event":"ping",  "data":{"a":1.50, "b":12345678901234567890123}, "time":"2026-03-01T00:00:00Z" }`
  await deliver(key, body)
  await applyingDone()
  expect(await readInboxEvents(desk)).toMatchObject([{ body }])
})

test('the signature header and the names of events and fields are those of the service’s profile', async () => {
  const key = await signingKey()
  const { sandbox } = consoleSettings().services
  if (!sandbox) throw new Error('the sandbox is connected')
  const headers = { ...contractProfile.headers, webhookSignature: 'x-signature' }
  const fields = { Card: { id: 'cardNumberId', cardAccountId: 'accountId' } }
  sandbox.profile = { ...contractProfile, headers, fields, events: { 'CARD/CHANGED': 'card.updated' } }
  onTestFinished(() => void delete sandbox.profile)
  const body = JSON.stringify(makeEvent('CARD/CHANGED', { cardNumberId: 'card-1', accountId: 'account-1' }))
  const deliverUnder = async (name: string) => {
    const request = { method: 'POST', headers: { [name]: await signWebhook(body, key) }, body }
    return receiveDelivery(new Request('http://console.test/api/webhooks/inbox/sandbox', request), 'sandbox')
  }
  const refused = await deliverUnder('x-access-signature')
  expect(await refused.json()).toMatchObject({
    code: 'INVALID_SIGNATURE',
    message: expect.stringMatching(/x-signature/),
  })
  expect((await deliverUnder('x-signature')).status).toBe(200)
  expect(await readInboxEvents(desk)).toMatchObject([
    { event: 'card.updated', body, isKnown: true, cardId: 'card-1', cardAccountId: 'account-1' },
  ])
  await applyingDone()
})
