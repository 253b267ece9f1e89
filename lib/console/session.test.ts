import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { encode } from 'next-auth/jwt'
import { expect, test } from 'vitest'
import { readOverview } from './overview.ts'
import { currentStaff, requirePermission, sessionCookieName } from './session.ts'
import { consoleSettings } from './settings.ts'
import { listStaff, setStaffRole, signStaffOut } from './staff-admin.ts'
import { auditEntries } from './tables/audit.ts'
import { sessions, staff } from './tables/staff.ts'
import { setCookie } from './testing/next-headers.ts'
import { openConsole } from './testing/open-console.ts'

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

test('an admin changes a role and signs people out, with an audit entry each, but never changes their own access', async () => {
  const desk = await openConsole({ seeded: 1 })
  const support = await desk.signIn('support')
  const admin = await desk.signIn('admin')
  const id = support?.id ?? ''
  expect(await listStaff()).toHaveLength(6)
  await setStaffRole(id, 'operations')
  await signStaffOut(id)
  await expect(setStaffRole(admin?.id ?? '', 'operations')).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  await expect(setStaffRole(randomUUID(), 'viewer')).rejects.toMatchObject({ code: 'STAFF_NOT_FOUND' })
  await expect(setStaffRole(id, 'root' as 'admin')).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ act, outcome, comment }) => [act, outcome, comment])).toEqual([
    ['staff.set-role', 'done', 'support to operations'],
    ['staff.sign-out', 'done', null],
    ['staff.set-role', 'refused', null],
    ['staff.set-role', 'refused', null],
    ['staff.set-role', 'refused', null],
  ])
  const [kept] = await desk.db.select().from(sessions).where(eq(sessions.staffId, id))
  expect(kept?.revokedAt).not.toBeNull()
})
