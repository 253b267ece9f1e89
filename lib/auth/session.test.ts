import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { encode } from 'next-auth/jwt'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readOverview } from '#lib/console/overview.ts'
import { setCookie, setRequestHeaders } from '#lib/console/testing/next-headers.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { sessions, staff } from '#lib/tables/staff.ts'
import { noteSessionActivity, readSessionActivity } from './activity.ts'
import { currentStaff, listLiveSessions, requirePermission } from './session.ts'
import { sessionCookieName } from './token.ts'

const locking = () => requirePermission('cards.lock', 'sandbox')

test('a revoked session is signed out from the next request on', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  await expect(locking()).resolves.toMatchObject({ role: 'support' })
  await desk.db.update(sessions).set({ revokedAt: new Date() })
  await expect(locking()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN', status: 401 })
  await expect(readOverview('sandbox')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(await currentStaff()).toBeNull()
})

test('another role counts from the next request on', async () => {
  const desk = await openConsole({ seeded: 1 })
  const member = await desk.signIn('support')
  await expect(locking()).resolves.toBeTruthy()
  await desk.db
    .update(staff)
    .set({ role: 'viewer' })
    .where(eq(staff.id, member?.id ?? ''))
  await expect(locking()).rejects.toMatchObject({ code: 'NOT_PERMITTED', status: 403 })
})

test('a session ends at its expiry, and when its member of staff is disabled', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  await desk.db.update(sessions).set({ expiresAt: new Date(Date.now() - 1) })
  await expect(locking()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  const member = await desk.signIn('support')
  await expect(locking()).resolves.toBeTruthy()
  await desk.db
    .update(staff)
    .set({ disabledAt: new Date() })
    .where(eq(staff.id, member?.id ?? ''))
  await expect(locking()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
})

test('a demo session counts for nothing where people sign in through a provider', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('admin')
  await expect(requirePermission('staff.manage', 'sandbox')).resolves.toBeTruthy()
  consoleSettings().isDemo = false
  await expect(requirePermission('staff.manage', 'sandbox')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
})

test('requests of one turn read their session once, and a later one reads it again', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  const query = vi.spyOn(Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const reads = () =>
    query.mock.calls.filter(([statement]) => Object(statement).name === 'console_member_of_session').length
  const together = await Promise.all([locking(), locking(), currentStaff()])
  expect(together.every((member) => member !== null)).toBe(true)
  expect(reads()).toBe(1)
  const before = locking()
  await vi.waitFor(() => expect(reads()).toBe(2))
  await Promise.all([before, locking()])
  expect(reads()).toBe(3)
})

test('cookies that this console did not seal are signed out, and never a failure', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('admin')
  const [session] = await desk.db.select().from(sessions)
  const settings = consoleSettings()
  const forged = [
    '',
    'x',
    session?.id ?? '',
    `${'eyJhbGciOiJub25lIn0'}.${Buffer.from(JSON.stringify({ sessionId: session?.id })).toString('base64url')}.`,
    await encode({ token: { sessionId: session?.id }, secret: 'another secret that is just as long as ours' }),
    await encode({ token: { sessionId: randomUUID() }, secret: settings.sessionSecret }),
    await encode({ token: { sessionId: "' or true --" }, secret: settings.sessionSecret }),
    await encode({ token: { sub: session?.staffId ?? '' }, secret: settings.sessionSecret }),
    await encode({ token: { sessionId: session?.id }, secret: settings.sessionSecret, maxAge: -60 }),
  ]
  for (const cookie of forged) {
    setCookie(sessionCookieName(settings), cookie)
    expect(await currentStaff()).toBeNull()
  }
})

function reportFrom(site: string): Request {
  return new Request('http://127.0.0.1:3000/api/session/activity', { headers: { 'sec-fetch-site': site } })
}

describe('idle time', () => {
  const idleMs = 15 * minuteMs

  /** A signed-in person whose last activity is that long ago. */
  async function arrange(agoMs: number) {
    const desk = await openConsole({ seeded: 1 })
    await desk.signIn('support')
    const lastActiveAt = new Date(Date.now() - agoMs)
    await desk.db.update(sessions).set({ lastActiveAt })
    const stored = async () => (await desk.db.select().from(sessions))[0]?.lastActiveAt.getTime()
    return { desk, lastActiveAt: lastActiveAt.getTime(), stored }
  }

  test('a session ends after 15 idle minutes, for requests and open streams', async () => {
    const { desk } = await arrange(idleMs + 1)
    const [session] = await desk.db.select().from(sessions)
    await expect(locking()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
    await expect(noteSessionActivity(reportFrom('same-origin'))).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
    expect((await listLiveSessions([session?.id ?? ''])).size).toBe(0)
    await desk.db.update(sessions).set({ lastActiveAt: new Date(Date.now() - idleMs + 10_000) })
    await expect(locking()).resolves.toMatchObject({ role: 'support' })
    expect((await listLiveSessions([session?.id ?? ''])).size).toBe(1)
  })

  test('what a page reads by itself is no activity', async () => {
    const { lastActiveAt, stored } = await arrange(10 * minuteMs)
    onTestFinished(() => setRequestHeaders({}))
    const requests: Record<string, string>[] = [
      {},
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', rsc: '1', 'next-router-prefetch': '1' },
    ]
    for (const headers of requests) {
      setRequestHeaders(headers)
      await readOverview('sandbox')
      const { idleInMs } = await readSessionActivity()
      expect(idleInMs).toBeLessThanOrEqual(5 * minuteMs)
    }
    expect(await stored()).toBe(lastActiveAt)
  })

  test('opening a page and a reported input are activity', async () => {
    for (const act of [() => noteSessionActivity(reportFrom('same-origin')), () => currentStaff()]) {
      const { lastActiveAt, stored } = await arrange(10 * minuteMs)
      setRequestHeaders({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })
      onTestFinished(() => setRequestHeaders({}))
      await act()
      expect(await stored()).toBeGreaterThan(lastActiveAt + 9 * minuteMs)
      expect((await readSessionActivity()).idleInMs).toBeGreaterThan(idleMs - 10_000)
    }
  })

  test('a page of another origin reports no activity', async () => {
    const { lastActiveAt, stored } = await arrange(10 * minuteMs)
    for (const site of ['same-site', 'cross-site', 'none'])
      await expect(noteSessionActivity(reportFrom(site)), site).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
    expect(await stored()).toBe(lastActiveAt)
  })

  test('activity is written every 30 seconds at most', async () => {
    const { lastActiveAt, stored } = await arrange(20_000)
    await noteSessionActivity(reportFrom('same-origin'))
    expect(await stored()).toBe(lastActiveAt)
  })
})
