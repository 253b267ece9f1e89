import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { revokeSession } from '#lib/auth/session.ts'
import { openConsole, shareConsole } from '#lib/console/testing/open-console.ts'
import { deleteExpired } from '#lib/db/retention.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { retentionRules } from '#lib/jobs/retention.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { changes } from '#lib/tables/changes.ts'
import { sessions } from '#lib/tables/staff.ts'
import { openFeed, latestSafePosition } from './feed.ts'
import { publish, notificationsWritten } from './publish.ts'
import { closeLive, endRevoked, openLiveStream } from './stream.ts'
import type { Change } from './types.ts'

const desk = shareConsole()

const account = (id: string = randomUUID()): Change => ({ type: 'cardaccount', id })

type Received = { event: string; id: string | null; data: unknown }

/** Follows a stream as a browser does. */
async function follow(options: { lastEventId?: string; after?: number; environment?: Environment } = {}) {
  const stopping = new AbortController()
  const search = options.after === undefined ? '' : `?after=${options.after}`
  const request = new Request(`http://console.test/api/sandbox/live${search}`, {
    headers: options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId },
    signal: stopping.signal,
  })
  const response = await openLiveStream(request, options.environment ?? 'sandbox')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const received: Received[] = []
  let isEnded = false
  const reading = (async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      text += next.value
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split('\n').flatMap((line) => (line.startsWith(':') ? [] : [line.split(/: (.*)/s).slice(0, 2)])),
        ) as Record<string, string>
        if (fields.data === undefined) continue
        received.push({ event: fields.event ?? 'message', id: fields.id ?? null, data: JSON.parse(fields.data) })
      }
    }
    isEnded = true
  })()
  onTestFinished(async () => {
    stopping.abort()
    await reading
    await closeLive()
  })
  return {
    received,
    isEnded: () => isEnded,
    about: () =>
      received.flatMap(({ event, data }) => (event === 'message' ? (data as { about: Change[] }).about : [])),
    stop: () => stopping.abort(),
    ready: () => vi.waitFor(() => expect(received.map(({ event }) => event)).toContain('ready')),
  }
}

test('a change reaches every stream of its environment, and none of another', async () => {
  await desk.signIn('operations')
  const [one, other, elsewhere] = [await follow(), await follow(), await follow({ environment: 'production' })]
  await Promise.all([one.ready(), other.ready(), elsewhere.ready()])
  const change = account()
  publish('sandbox', [change])
  await vi.waitFor(() => expect([one.about(), other.about()]).toEqual([[change], [change]]))
  expect(elsewhere.about()).toEqual([])
})

test('changes of other processes arrive too', async () => {
  await desk.signIn('viewer')
  const stream = await follow()
  await stream.ready()
  const change = account()
  await inTransaction(desk.db, async (tx) => {
    await tx.insert(changes).values({ environment: 'sandbox', about: [change], at: new Date() })
    await tx.execute(sql`select pg_notify('carddesk_changes', '')`)
  })
  await vi.waitFor(() => expect(stream.about()).toEqual([change]))
})

test('a browser that reconnects continues without a gap or a repetition', async () => {
  await desk.signIn('viewer')
  const first = await follow()
  await first.ready()
  const received = account()
  publish('sandbox', [received])
  await vi.waitFor(() => expect(first.about()).toEqual([received]))
  const lastEventId = first.received.findLast(({ id }) => id !== null)?.id ?? ''
  first.stop()
  const missed = [account(), account(), account()]
  for (const change of missed) {
    publish('sandbox', [change])
    await notificationsWritten()
  }
  const again = await follow({ lastEventId })
  await again.ready()
  const later = account()
  publish('sandbox', [later])
  await vi.waitFor(() => expect(again.about()).toEqual([...missed, later]))
  expect(again.received.map(({ event }) => event)).not.toContain('reset')
})

test('a change between a page’s read and the start of its stream arrives', async () => {
  await desk.signIn('viewer')
  publish('sandbox', [account()])
  await notificationsWritten()
  await desk.db.update(changes).set({ at: sql`now() - interval '1 minute'` })
  const place = await latestSafePosition()
  const missed = account()
  publish('sandbox', [missed])
  await notificationsWritten()
  // A part of the page that is read a moment earlier than another shows older things: its place is the same.
  expect(await latestSafePosition()).toBe(place)
  // Nor is it another one in a process whose clock is ahead of the database's.
  const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  expect(await latestSafePosition().finally(() => ahead.mockRestore())).toBe(place)
  const stream = await follow({ after: place })
  await stream.ready()
  expect(stream.about()).toEqual([missed])
})

test.each([
  ['rows that are gone', '1'],
  ['a place that never was', '999999'],
])('a browser whose place is that of %s reads everything again', async (_name, lastEventId) => {
  await desk.signIn('viewer')
  for (let times = 0; times < 5; times += 1) {
    publish('sandbox', [account()])
    await notificationsWritten()
  }
  await desk.db.update(changes).set({ at: new Date(0) })
  await deleteExpired(desk.db, retentionRules)
  expect(await desk.db.select().from(changes)).toHaveLength(1)
  const stream = await follow({ lastEventId })
  await stream.ready()
  expect(stream.received.map(({ event }) => event)).toContain('reset')
})

test('a browser whose missed rows cannot be read reads everything again, and its stream goes on', async () => {
  await desk.signIn('viewer')
  const first = await follow()
  await first.ready()
  await desk.db.execute(sql`alter table console.changes rename to changes_away`)
  const stream = await follow({ after: 1 })
  try {
    await vi.waitFor(() => expect(stream.received.map(({ event }) => event)).toEqual(['reset', 'ready']))
  } finally {
    await desk.db.execute(sql`alter table console.changes_away rename to changes`)
  }
  const change = account()
  publish('sandbox', [change])
  await vi.waitFor(() => expect(stream.about()).toEqual([change]))
})

test('a hundred processes writing at once: a reader sees every row once, in the order of ids', async () => {
  const feed = openFeed(desk.databaseUrl)
  const received: number[] = []
  feed.subscribe(({ id }) => received.push(id))
  await feed.ready()
  const { writeChanges } = await import('./publish.ts')
  await Promise.all(
    Array.from({ length: 100 }, () => inTransaction(desk.db, (tx) => writeChanges(tx, 'sandbox', [account()]))),
  )
  await vi.waitFor(() => expect(received).toHaveLength(100), { timeout: 5000 })
  await feed.close()
  expect(received).toEqual(received.toSorted((one, other) => one - other))
})

test('a connection that is lost is opened again, and nothing is missed', async () => {
  const feed = openFeed(desk.databaseUrl)
  const received: Change[] = []
  feed.subscribe(({ about }) => received.push(...about))
  await feed.ready()
  await desk.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'carddesk live' and datname = current_database()`)
  const change = account()
  publish('sandbox', [change])
  await vi.waitFor(() => expect(received).toEqual([change]), { timeout: 5000 })
  await feed.close()
})

test('a person without a session or permission gets no stream; an ended session ends its streams within seconds', async () => {
  await desk.signIn(null)
  await expect(follow()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  await desk.signIn('qa')
  await expect(follow({ environment: 'production' })).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stream = await follow()
  await stream.ready()
  for (const { id } of await desk.db.select().from(sessions)) await revokeSession(desk.db, id)
  vi.advanceTimersByTime(5000)
  await vi.waitFor(() => expect(stream.isEnded()).toBe(true))
  expect(stream.received.at(-1)?.event).toBe('signed-out')
})

test('a stream that opens during a check of the sessions is not told that its session has ended', async () => {
  const desk = await openConsole()
  await desk.signIn('viewer')
  await desk.signIn('operations')
  const [one, other] = await desk.db.select().from(sessions)
  const gone = randomUUID()
  const ended: string[] = []
  const openedBy = (sessionId = '') => ({
    environment: 'sandbox' as const,
    sessionId,
    staffId: '',
    send: () => undefined,
    end: () => ended.push(sessionId),
  })
  const streams = new Set([openedBy(one?.id), openedBy(gone)])
  const check = endRevoked(streams)
  streams.add(openedBy(other?.id))
  await check
  expect(ended).toEqual([gone])
})

test('one session has a dozen streams at most', async () => {
  await desk.signIn('viewer')
  for (let times = 0; times < 12; times += 1) await follow()
  await expect(follow()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
})

test('one person has 20 streams, however many sessions open them at once; others still get theirs', async () => {
  const desk = await openConsole({ seeded: 1 })
  let opened = 0
  let refused = 0
  for (let session = 0; session < 3; session += 1) {
    await desk.signIn('viewer')
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => follow()))
    for (const result of results) {
      if (result.status === 'fulfilled') opened += 1
      else if (isAppError(result.reason) && result.reason.status === 429) refused += 1
    }
  }
  expect([opened, refused]).toEqual([20, 16])
  await desk.signIn('operations')
  await follow()
})
