import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { recordAudit } from '#lib/audit/chain.ts'
import { parseDevice } from '#lib/auth/device.ts'
import { listPermissions, roles } from '#lib/auth/permissions.ts'
import { currentStaff, openSession } from '#lib/auth/session.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { sessions, staff } from '#lib/tables/staff.ts'
import { passkeys } from '#lib/tables/step-up.ts'
import { endOwnSession } from '../own-account/own-sessions.ts'
import { reads } from '../reads.ts'
import { setRequestHeaders } from '../testing/next-headers.ts'
import { openConsole } from '../testing/open-console.ts'
import { changeStaffAccess, inviteToDesk } from './staff-admin.ts'
import { changeStaff, commandLine } from './staff-changes.ts'

const { readOwnAccount, listStaff } = reads

const idOf = (role: (typeof roles)[number]) => `5d1c7a52-0000-4000-8000-00000000000${roles.indexOf(role) + 1}`

const secondAdmin = '5d1c7a52-0000-4000-8000-000000000007'

test('an admin changes roles and access with an audit entry each, and never their own', async () => {
  const desk = await openConsole({ seeded: 1 })
  const staffId = idOf('support')
  await openSession(desk.db, staffId)
  await desk.signIn('admin')
  expect(await listStaff('sandbox')).toMatchObject({ canInvite: false, ownId: idOf('admin') })
  const done = { kind: 'done' }
  expect(await changeStaffAccess({ act: 'staff.set-role', staffId, role: 'operations' })).toMatchObject({
    kind: 'done',
    staff: { name: 'Samuel Ng', role: 'operations' },
  })
  expect(await changeStaffAccess({ act: 'staff.disable', staffId })).toMatchObject(done)
  expect((await listStaff('sandbox')).staff.find(({ id }) => id === staffId)).toMatchObject({
    state: 'disabled',
    openSessions: 0,
  })
  expect(await changeStaffAccess({ act: 'staff.enable', staffId })).toMatchObject(done)
  expect(await changeStaffAccess({ act: 'staff.sign-out', staffId })).toMatchObject(done)
  const refused = (code: string) => ({ kind: 'refused', outcome: { code } })
  expect(await changeStaffAccess({ act: 'staff.set-role', staffId: idOf('admin'), role: 'operations' })).toMatchObject(
    refused('NOT_PERMITTED'),
  )
  const nobody = randomUUID()
  expect(await changeStaffAccess({ act: 'staff.disable', staffId: nobody })).toMatchObject(refused('STAFF_NOT_FOUND'))
  expect(await changeStaffAccess({ act: 'staff.set-role', staffId, role: 'root' as 'admin' })).toMatchObject({
    kind: 'invalid',
    fields: { role: 'must be one of the roles' },
  })
  expect(await changeStaffAccess({ act: 'staff.disable', staffId, role: 'admin' })).toMatchObject({ kind: 'invalid' })
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ act, outcome, comment, targetId }) => [act, outcome, comment, targetId])).toEqual([
    ['staff.set-role', 'done', 'support to operations', staffId],
    ['staff.disable', 'done', null, staffId],
    ['staff.enable', 'done', null, staffId],
    ['staff.sign-out', 'done', null, staffId],
    ['staff.set-role', 'refused', null, idOf('admin')],
    ['staff.disable', 'refused', null, nobody],
  ])
  const [stored] = await desk.db.select().from(sessions).where(eq(sessions.staffId, staffId))
  expect(stored?.revokedAt).not.toBeNull()
})

test('the list has the last time that each person signed in, and none for a refused sign-in', async () => {
  const desk = await openConsole({ seeded: 1 })
  const by = await desk.signIn('admin')
  if (!by) throw new Error('nobody is signed in')
  const last = async () => (await listStaff('sandbox')).staff.find(({ id }) => id === by.id)?.lastSignInAt
  const entry = { by, environment: null, act: 'sign-in', target: null }
  await recordAudit(desk.db, { ...entry, outcome: 'refused' })
  expect(await last()).toBeNull()
  const before = Date.now()
  await recordAudit(desk.db, { ...entry, outcome: 'done' })
  expect(Date.parse((await last()) ?? '')).toBeGreaterThanOrEqual(before - 1000)
})

test.each(roles.filter((role) => role !== 'admin'))('%s manages no staff', async (role) => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn(role)
  const refused = { kind: 'refused', outcome: { code: 'NOT_PERMITTED' } }
  await expect(listStaff('sandbox')).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  const staffId = idOf('admin')
  expect(await changeStaffAccess({ act: 'staff.set-role', staffId, role: 'viewer' })).toMatchObject(refused)
  expect(await inviteToDesk({ email: 'new@example.com', role: 'viewer' })).toMatchObject(refused)
  expect(listPermissions(role, 'sandbox')).not.toContain('staff.manage')
})

test('an admin who lost the role meanwhile gives none, even where the permission was checked before', async () => {
  const desk = await openConsole({ seeded: 1 })
  const by = await desk.signIn('admin')
  if (!by) throw new Error('nobody is signed in')
  await desk.db.update(staff).set({ role: 'viewer' }).where(eq(staff.id, by.id))
  const change = { act: 'staff.set-role' as const, who: idOf('support'), origin: 'demo' as const, role: 'admin' }
  await expect(changeStaff(desk.db, by, change)).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
})

test('neither the command line nor two admins at once can remove the last admin', async () => {
  const desk = await openConsole({ seeded: 1 })
  const origin = 'demo' as const
  await desk.db.delete(staff).where(eq(staff.id, secondAdmin))
  const removing = { act: 'staff.set-role' as const, who: idOf('admin'), origin, role: 'viewer' }
  await expect(changeStaff(desk.db, commandLine, removing)).rejects.toMatchObject({ code: 'LAST_ADMIN' })
  const disabling = { act: 'staff.disable' as const, who: idOf('admin'), origin }
  await expect(changeStaff(desk.db, commandLine, disabling)).rejects.toMatchObject({ code: 'LAST_ADMIN' })
  for (let round = 0; round < 5; round += 1) {
    await desk.db
      .update(staff)
      .set({ role: 'admin', disabledAt: null })
      .where(eq(staff.id, idOf('approver')))
    await desk.db
      .update(staff)
      .set({ role: 'admin', disabledAt: null })
      .where(eq(staff.id, idOf('admin')))
    const [grace, ada] = ['admin', 'approver'].map((role) => idOf(role as 'admin'))
    const actor = (id = '') => ({ id, name: 'An admin', role: 'admin' as const })
    const results = await Promise.allSettled([
      changeStaff(desk.db, actor(grace), { act: 'staff.disable', who: ada ?? '', origin }),
      changeStaff(desk.db, actor(ada), { act: 'staff.disable', who: grace ?? '', origin }),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})

test('who is in OIDC_ADMIN_EMAILS gets no other role, which the next sign-in would take back', async () => {
  const desk = await openConsole({ seeded: 1 })
  vi.stubEnv('OIDC_ADMIN_EMAILS', 'Ada@example.com')
  onTestFinished(() => void vi.unstubAllEnvs())
  await desk.db.update(staff).set({ origin: 'oidc', oidcSubject: sql`id::text` })
  await desk.db
    .update(staff)
    .set({ email: 'ada@example.com' })
    .where(eq(staff.id, idOf('admin')))
  const change = { act: 'staff.set-role' as const, who: 'ada@example.com', origin: 'oidc' as const }
  await expect(changeStaff(desk.db, commandLine, { ...change, role: 'viewer' })).rejects.toMatchObject({
    code: 'NOT_PERMITTED',
    message: 'ada@example.com is in OIDC_ADMIN_EMAILS: take it out of that setting first.',
  })
  await changeStaff(desk.db, commandLine, { ...change, act: 'staff.disable' })
})

test('an admin invites by address, once; a person without a sign-in counts as no admin', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('admin')
  await desk.db
    .update(staff)
    .set({ origin: 'oidc', oidcSubject: 'x' })
    .where(eq(staff.id, idOf('admin')))
  consoleSettings().isDemo = false
  const invited = await inviteToDesk({ email: 'New@Example.com', role: 'admin' })
  expect(invited).toMatchObject({ kind: 'done', staff: { email: 'new@example.com', role: 'admin' } })
  expect(await inviteToDesk({ email: 'new@example.com', role: 'viewer' })).toMatchObject({
    outcome: { code: 'INVALID_PARAMETERS' },
  })
  expect(await inviteToDesk({ email: 'new', role: 'viewer' })).toMatchObject({
    kind: 'invalid',
    fields: { email: 'must be an e-mail address' },
  })
  const removing = { act: 'staff.disable' as const, who: idOf('admin'), origin: 'oidc' as const }
  await expect(changeStaff(desk.db, commandLine, removing)).rejects.toMatchObject({ code: 'LAST_ADMIN' })
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail).toMatchObject([
    { act: 'staff.invite', outcome: 'done', comment: 'as admin' },
    { act: 'staff.invite', outcome: 'refused' },
  ])
})

test('giving a role needs the admin’s passkey where it is required; taking access away needs none', async () => {
  const desk = await openConsole({ seeded: 1, settings: { stepUp: 'required' } })
  await desk.signIn('admin')
  const refused = { outcome: { code: 'PASSKEY_REQUIRED' } }
  const staffId = idOf('support')
  expect(await changeStaffAccess({ act: 'staff.set-role', staffId, role: 'viewer' })).toMatchObject(refused)
  expect(await inviteToDesk({ email: 'new@example.com', role: 'viewer' })).toMatchObject(refused)
  expect(await changeStaffAccess({ act: 'staff.remove-passkeys', staffId })).toMatchObject(refused)
  expect(await changeStaffAccess({ act: 'staff.sign-out', staffId })).toMatchObject({ kind: 'done' })
  expect(await changeStaffAccess({ act: 'staff.disable', staffId })).toMatchObject({ kind: 'done' })
  expect(await changeStaffAccess({ act: 'staff.enable', staffId })).toMatchObject(refused)
})

test('removing a person’s passkeys ends their sessions and names the passkeys in the audit log', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  const key = { publicKey: Buffer.from('x'), counter: 0, transports: [], createdAt: new Date() }
  const staffId = idOf('support')
  await desk.db.insert(passkeys).values([
    { ...key, id: 'a', staffId, name: 'Laptop' },
    { ...key, id: 'b', staffId: idOf('viewer'), name: 'Phone' },
  ])
  await changeStaff(desk.db, commandLine, { act: 'staff.remove-passkeys', who: staffId, origin: 'demo' })
  expect(await currentStaff()).toBeNull()
  expect((await desk.db.select().from(passkeys)).map(({ name }) => name)).toEqual(['Phone'])
  expect(await desk.db.select().from(auditEntries)).toMatchObject([
    { act: 'staff.remove-passkeys', staffName: commandLine.name, comment: 'Laptop' },
  ])
})

test('people see their own open sessions with device and address, and end any of them', async () => {
  const desk = await openConsole({ seeded: 1 })
  const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
  const elsewhere = await openSession(desk.db, idOf('support'), { ipAddress: '192.0.2.7', userAgent })
  const foreign = await openSession(desk.db, idOf('viewer'))
  const over = await openSession(desk.db, idOf('support'))
  await desk.db.update(sessions).set({ expiresAt: new Date() }).where(eq(sessions.id, over))
  await desk.signIn('support')
  const account = await readOwnAccount('sandbox')
  expect(account.staff.name).toBe('Samuel Ng')
  expect(account.sessions).toMatchObject([
    { isCurrent: true, device: 'Unknown device' },
    { id: elsewhere, isCurrent: false, device: 'Chrome on macOS', ipAddress: '192.0.2.7' },
  ])
  expect(await endOwnSession({ sessionId: foreign })).toMatchObject({ outcome: { code: 'SESSION_NOT_FOUND' } })
  expect(await endOwnSession({ sessionId: elsewhere })).toEqual({ kind: 'done' })
  await openSession(desk.db, idOf('support'))
  expect(await endOwnSession({ sessionId: 'others' })).toEqual({ kind: 'done' })
  const [own, ...others] = (await readOwnAccount('sandbox')).sessions
  expect(others).toEqual([])
  expect(await endOwnSession({ sessionId: own?.id ?? '' })).toEqual({ kind: 'done' })
  await expect(readOwnAccount('sandbox')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  const [untouched] = await desk.db.select().from(sessions).where(eq(sessions.id, foreign))
  expect(untouched?.revokedAt).toBeNull()
  const trail = await desk.db.select().from(auditEntries)
  const ended = trail.filter(({ act }) => act === 'session.end')
  expect(ended.map(({ comment }) => comment)).toEqual(['1 session', '1 session', '1 session'])
  setRequestHeaders({})
})

test('of many sessions the present one and the latest are shown, and how many there are', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  for (let times = 0; times < 60; times += 1) await openSession(desk.db, idOf('support'))
  const { sessions: shown, sessionCount } = await readOwnAccount('sandbox')
  expect(shown).toHaveLength(50)
  expect(shown.map(({ isCurrent }) => isCurrent).indexOf(true)).toBe(0)
  expect(sessionCount).toBe(61)
  setRequestHeaders({})
})

test.each([
  [null, 'Unknown device'],
  ['curl/8.5', 'Unknown device'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iPhone'],
])('the device of %j', (userAgent, device) => expect(parseDevice(userAgent)).toBe(device))
