import { expect, test } from 'vitest'
import { listPermissions } from '#lib/auth/permissions.ts'
import { currentStaff, requirePermission } from '#lib/auth/session.ts'
import { commandLine } from '#lib/console/staff/staff-changes.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { runStaffCommand } from './staff-command.ts'

const oidc = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'carddesk',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
  NEXTAUTH_SECRET: 'x'.repeat(32),
  NEXTAUTH_URL: 'https://desk.example.com',
}

test('disables and enables a person, changes a role and signs out, each from the next request on and audited', async () => {
  const desk = await openConsole({ seeded: 1 })
  const run = (...args: string[]) => runStaffCommand(args, { DATABASE_URL: desk.databaseUrl })
  const support = await desk.signIn('support')
  expect(await currentStaff()).not.toBeNull()
  expect(await run('list')).toMatch(
    new RegExp(`${support?.id} +support +admin +active +1 +never +samuel\\.ng@demo\\.invalid +Samuel Ng`),
  )
  expect(await run('role', 'Samuel.Ng@demo.invalid', 'operations')).toBe('Samuel Ng (operations) has a new role.')
  expect((await requirePermission('fees.waive', 'sandbox')).role).toBe('operations')
  expect(await run('disable', support?.id ?? '')).toMatch(/has no access any more/)
  expect(await currentStaff()).toBeNull()
  await run('enable', support?.id ?? '')
  expect(await currentStaff()).toBeNull()
  expect(await run('list')).toMatch(/operations +admin +active +0 +never +samuel/)
  const again = await desk.signIn('operations')
  expect(listPermissions(again?.role ?? 'viewer', 'sandbox')).toContain('fees.waive')
  await run('sign-out', again?.id ?? '')
  expect(await currentStaff()).toBeNull()
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ act, staffName, outcome }) => [act, staffName, outcome])).toEqual(
    ['staff.set-role', 'staff.disable', 'staff.enable', 'staff.sign-out'].map((act) => [act, commandLine.name, 'done']),
  )
})

test('invites by address and role where people sign in through a provider, once', async () => {
  const desk = await openConsole({ seeded: 1 })
  const run = (...args: string[]) => runStaffCommand(args, { ...oidc, DATABASE_URL: desk.databaseUrl })
  expect(await run('invite', 'New.Person@Example.com', 'operations')).toMatch(/^new\.person@example\.com is invited/)
  expect(await run('list')).toMatch(/operations +admin +invited +0 +never +new\.person@example\.com/)
  await expect(run('invite', 'new.person@example.com', 'viewer')).rejects.toThrow('on the list already')
  await expect(run('invite', 'nobody', 'viewer')).rejects.toThrow('not an e-mail address')
  await expect(run('invite', 'a@example.com', 'root')).rejects.toThrow('role must be one of')
  const trail = await desk.db.select().from(auditEntries)
  expect(trail).toMatchObject([{ act: 'staff.invite', staffName: commandLine.name, comment: 'as operations' }])
})

test.each([
  [[]],
  [['remove', 'x']],
  [['list', 'x']],
  [['invite', 'a@b.co']],
  [['role', 'x']],
  [['disable', 'x', 'admin']],
])('prints its usage for %j', async (args) => {
  await expect(runStaffCommand(args, {})).rejects.toThrow('Usage: npm run staff')
})

test('names what is missing: an unknown person, a server that does not run, a demo without invitations', async () => {
  const desk = await openConsole({ seeded: 1 })
  const environment = { DATABASE_URL: desk.databaseUrl }
  await expect(runStaffCommand(['disable', 'x@example.com'], environment)).rejects.toThrow('no such member of staff')
  await expect(runStaffCommand(['invite', 'x@example.com', 'viewer'], environment)).rejects.toThrow('OIDC_ISSUER')
  await expect(runStaffCommand(['list'], { DATA_DIR: '/nowhere' })).rejects.toThrow('No server is running on /nowhere')
})
