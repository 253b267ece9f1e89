import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import vectors from '#lib/signing/vectors/webhook-signatures.json' with { type: 'json' }
import { generateKeyPair, readPrivateKey } from '#lib/signing/keys.ts'
import { signWebhook } from '#lib/signing/webhook-signature.ts'
import { announcementsWritten } from '../live/announce.ts'
import { changes } from '../tables/changes.ts'
import { directoryCards } from '../tables/directory.ts'
import { inboxCounts, inboxEvents } from '../tables/inbox.ts'
import { cardIn } from '../testing/cards.ts'
import { deliver, eventOf, post, signingKey } from '../testing/deliveries.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { applyInbox, applyingDone } from './apply.ts'
import { inboxCountsWritten } from './counts.ts'
import { pruneInbox } from './prune.ts'
import { forgetWebhookKeys } from './webhook-key.ts'

vi.mock('next/headers', () => import('../testing/next-headers.ts'))

async function countsOf(desk: TestConsole): Promise<Record<string, number>> {
  await inboxCountsWritten()
  const rows = await desk.db.select().from(inboxCounts)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

async function eventsOf(desk: TestConsole) {
  return desk.db.select().from(inboxEvents).orderBy(inboxEvents.position)
}

/** How often each account was announced as changed. */
async function toldOf(desk: TestConsole): Promise<Map<string, number>> {
  await announcementsWritten()
  const told = new Map<string, number>()
  for (const { about } of await desk.db.select().from(changes)) {
    for (const change of about) if (change.type === 'cardaccount') told.set(change.id, (told.get(change.id) ?? 0) + 1)
  }
  return told
}

/** Leases of whoever is applying end now, as if that process had been killed. */
async function endLeases(desk: TestConsole): Promise<void> {
  await desk.db
    .update(inboxEvents)
    .set({ nextAttemptAt: new Date(0) })
    .where(sql`applied_at is null`)
}

describe('a delivery', () => {
  test.each(vectors.cases)('signed with openssl ($name): stored exactly where the signature holds', async (vector) => {
    const desk = await openConsole()
    await signingKey()
    process.env.SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY = vectors.publicKey
    for (const signature of [vector.base64, vector.hex]) {
      const { status } = await post(vector.body, signature)
      expect(status === 401).toBe(!vector.expect)
    }
    await applyingDone()
    if (!vector.expect) expect(await eventsOf(desk)).toEqual([])
  })

  test('with a wrong, missing or borrowed signature is 401 and stored nowhere, only counted', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const other = readPrivateKey((await generateKeyPair()).privateKey)
    const body = JSON.stringify(eventOf('ping'))
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
    expect(await eventsOf(desk)).toEqual([])
    expect(await countsOf(desk)).toEqual({ signature: 8 })
    expect((await post(body, right)).status).toBe(200)
    await applyingDone()
  })

  test('over 1 MiB is 413 before its signature is looked at, told by its length or not', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const text = JSON.stringify(eventOf('ping', { filler: 'x'.repeat(1024 * 1024) }))
    expect((await deliver(key, text)).status).toBe(413)
    const exact = JSON.stringify(eventOf('ping', { filler: '' }))
    const largest = exact.replace('"filler":""', `"filler":"${'x'.repeat(1024 * 1024 - exact.length)}"`)
    expect((await deliver(key, largest)).status).toBe(200)
    await applyingDone()
    expect(await eventsOf(desk)).toHaveLength(1)
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
  ])('with a right signature that is %s: 400, not stored, no crash', async (_name, text) => {
    const desk = await openConsole()
    expect((await deliver(await signingKey(), text)).status).toBe(400)
    expect(await eventsOf(desk)).toEqual([])
  })

  test.each([
    ['an event that nobody knows', eventOf('card.teleported', { anything: [1, { deep: null }] })],
    ['data that is no object', { ...eventOf('card.updated'), data: 'text' }],
    ['no time', { id: randomUUID(), event: 'ping', data: {} }],
    ['a time that is none', { ...eventOf('ping'), time: 'yesterday' }],
    ['a time beyond all calendars', { ...eventOf('ping'), time: '+275760-09-13T00:00:00.000Z' }],
    ['an event name with control characters', { ...eventOf('x'), event: 'a\u0000b' }],
    ['an event called constructor', eventOf('constructor', { cardAccountId: 'not a uuid' })],
    ['an event called __proto__', eventOf('__proto__')],
    ['nothing but an id', { id: 'evt_123' }],
    ['hostile text everywhere', eventOf('<script>', { x: "'; drop table console.inbox_events; --\u0000\ud800" })],
  ])('of unknown shape (%s) is kept as unknown, answered 200 and applied', async (_name, value) => {
    const desk = await openConsole()
    expect((await deliver(await signingKey(), value)).status).toBe(200)
    await applyingDone()
    const [row] = await eventsOf(desk)
    expect(row).toMatchObject({ isKnown: false, body: JSON.stringify(value), problem: null })
    expect(row?.appliedAt).toBeInstanceOf(Date)
  })

  test('of any JSON with a right signature never crashes, and answers 200 or 400', async () => {
    await openConsole()
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

  test('to an environment without a key is 503, to no environment 404', async () => {
    await openConsole()
    expect((await post('{}', 'AAAA')).status).toBe(503)
    expect((await post('{}', 'AAAA', 'nowhere')).status).toBe(404)
  })

  test('is verified with the key that the built-in service tells, which is asked for once', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const publicKey = process.env.SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY
    delete process.env.SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY
    process.env.BUILT_IN_SERVICE = 'on'
    forgetWebhookKeys()
    let asked = 0
    desk.intercept.before = (request, response) => {
      if (request.url !== '/service/control/webhook-key') return false
      asked += 1
      response.end(publicKey)
      return true
    }
    try {
      const sent = await Promise.all(Array.from({ length: 5 }, () => deliver(key, eventOf('ping'))))
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      for (let times = 0; times < 5; times += 1) expect((await post('{}', 'AAAA')).status).toBe(401)
      expect(asked).toBe(1)
    } finally {
      delete process.env.BUILT_IN_SERVICE
      forgetWebhookKeys()
      await applyingDone()
    }
  })
})

describe('an event', () => {
  test('is a hint: what the directory learns is what the service says, whatever the delivery says', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target, card } = await cardIn(desk, 'active')
    const data = { id: card.id, cardAccountId: target.cardAccountId, status: 'cancelled' }
    await deliver(key, eventOf('card.updated', data))
    await applyingDone()
    const [mirrored] = await desk.db.select().from(directoryCards).where(eq(directoryCards.id, card.id))
    expect(mirrored?.status).toBe('active')
    const about = (await desk.db.select().from(changes)).flatMap((row) => row.about)
    expect(about).toContainEqual({ type: 'card', id: card.id, cardAccountId: target.cardAccountId })
  })

  test('that cannot be applied waits with the reason, and is applied once the service is back', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target } = await cardIn(desk, 'active')
    await desk.stopService()
    expect((await deliver(key, eventOf('cardaccount.transaction.created', { ...target }))).status).toBe(200)
    await applyingDone()
    expect(await eventsOf(desk)).toMatchObject([{ appliedAt: null, attempts: 1, problem: expect.stringMatching(/\w/) }])
    await desk.startService()
    await endLeases(desk)
    await applyInbox()
    expect(await eventsOf(desk)).toMatchObject([{ appliedAt: expect.any(Date), problem: null }])
  })

  test('is kept for 30 days, and until it is applied', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    for (const id of ['old', 'waiting', 'new']) await deliver(key, eventOf('ping', {}, id))
    await applyingDone()
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
    await desk.db.update(inboxEvents).set({ receivedAt: ago(31) })
    await desk.db
      .update(inboxEvents)
      .set({ receivedAt: ago(29) })
      .where(eq(inboxEvents.id, 'new'))
    await desk.db.update(inboxEvents).set({ appliedAt: null }).where(eq(inboxEvents.id, 'waiting'))
    await pruneInbox()
    expect((await eventsOf(desk)).map(({ id }) => id)).toEqual(['waiting', 'new'])
  })

  test('is stored and applied once under duplicates, reordering, restarts and several processes', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver' as const), index: fc.nat(9) }) },
      { weight: 2, arbitrary: fc.constant({ kind: 'crash' as const, index: 0 }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'apply' as const, index: 0 }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const events = Array.from({ length: 10 }, () =>
          eventOf('cardaccount.transaction.created', { cardAccountId: randomUUID() }),
        )
        let crashes = 0
        // A process that is killed while it reads the truth back: its lease ends, another one applies, and it comes back.
        desk.intercept.before = async () => {
          if (crashes === 0) return false
          crashes -= 1
          await endLeases(desk)
          await applyInbox()
          return false
        }
        const delivered = new Set<number>()
        const running: Promise<unknown>[] = []
        for (const { kind, index } of steps) {
          if (kind === 'crash') crashes += 1
          else if (kind === 'apply') running.push(applyInbox())
          else {
            delivered.add(index)
            running.push(deliver(key, events[index]).then(({ status }) => expect(status).toBe(200)))
          }
        }
        await Promise.all(running)
        await applyingDone()
        crashes = 0
        await endLeases(desk)
        await applyInbox()

        const told = await toldOf(desk)
        for (const [index, event] of events.entries()) {
          expect(told.get(String(event.data.cardAccountId)) ?? 0).toBe(delivered.has(index) ? 1 : 0)
        }
        const open = (await eventsOf(desk)).filter(({ appliedAt }) => appliedAt === null)
        expect(open).toEqual([])
      }),
      { numRuns: 15 },
    )
    const rows = await eventsOf(desk)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const { duplicate = 0 } = await countsOf(desk)
    expect(rows.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(duplicate)
  })
})
