import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { currentStaff } from './session.ts'
import { consoleSettings } from './settings.ts'
import { endCurrentSession, returnPath, signInChoices, signInOptions } from './sign-in.ts'
import { auditEntries } from './tables/audit.ts'
import { sessions, staff } from './tables/staff.ts'
import { openConsole } from './testing/open-console.ts'

type Authorize = (credentials: unknown, request: { headers: Record<string, string> }) => Promise<{ id: string } | null>

/** What the demo sign-in does with a form that came from that address. */
function authorizeFrom(remoteAddress: string): (staffId: unknown) => Promise<{ id: string } | null> {
  const id = randomUUID()
  connections().set(id, { remoteAddress, target: '/', socket: undefined as never })
  const [provider] = signInOptions().providers as unknown as [{ options: { authorize: Authorize } }]
  return (staffId) => provider.options.authorize({ staffId }, { headers: { [connectionHeader]: id } })
}

test('demo sign-in offers the six staff by their roles, and signs in each of them and nobody else', async () => {
  await openConsole({ seeded: 1 })
  const choices = await signInChoices()
  if (choices.mode !== 'demo') throw new Error('not in demo mode')
  expect(choices.staff.map(({ role }) => role)).toEqual(['viewer', 'support', 'operations', 'approver', 'qa', 'admin'])
  const authorize = authorizeFrom('127.0.0.1')
  for (const member of choices.staff) expect(await authorize(member.id)).toMatchObject({ id: member.id })
  for (const wrong of [randomUUID(), '', 'admin', "' or 1=1 --", undefined]) expect(await authorize(wrong)).toBeNull()
})

test('ten failures from an address close the sign-in for it, and for no other address', async () => {
  const desk = await openConsole({ seeded: 1 })
  const choices = await signInChoices()
  const right = choices.mode === 'demo' ? choices.staff[0]?.id : ''
  const attacker = authorizeFrom('192.0.2.7')
  for (let attempt = 0; attempt < 10; attempt += 1) expect(await attacker(randomUUID())).toBeNull()
  expect(await attacker(right)).toBeNull()
  expect(await authorizeFrom('192.0.2.8')(right)).toMatchObject({ id: right })
  const trail = await desk.db.select().from(auditEntries)
  expect(trail.filter(({ act, outcome }) => act === 'sign-in' && outcome === 'refused')).toHaveLength(10)
})

test('where a provider is set, the demo staff are not offered', async () => {
  await openConsole({ seeded: 1 })
  Object.assign(consoleSettings(), {
    isDemo: false,
    oidc: { issuer: 'https://id.example.com/', clientId: 'carddesk', clientSecret: 'x' },
  })
  expect(await signInChoices()).toEqual({ mode: 'oidc', providerId: 'oidc', issuer: 'id.example.com' })
  expect(signInOptions().providers).toMatchObject([
    {
      id: 'oidc',
      wellKnown: 'https://id.example.com/.well-known/openid-configuration',
      checks: ['pkce', 'state', 'nonce'],
    },
  ])
})

test('whoever comes from the provider is a viewer, known by the subject; a listed, verified address is admin', async () => {
  const desk = await openConsole({ seeded: 1 })
  Object.assign(consoleSettings(), {
    isDemo: false,
    oidc: { issuer: 'https://id.example.com', clientId: 'carddesk', clientSecret: 'x' },
    adminEmails: ['grace@example.com'],
  })
  const admit = async (sub: string, email: string, isVerified: boolean) => {
    const user = { id: sub, name: 'Somebody', email }
    const isAdmitted = await signInOptions().callbacks?.signIn?.({
      user,
      account: { provider: 'oidc', providerAccountId: sub, type: 'oauth' },
      profile: { sub, email_verified: isVerified },
    } as never)
    expect(isAdmitted).toBe(true)
    return user.id
  }
  const newcomer = await admit('subject-1', 'new@example.com', true)
  const unverified = await admit('subject-2', 'grace@example.com', false)
  const admin = await admit('subject-3', 'Grace@example.com', true)
  const renamed = await admit('subject-1', 'renamed@example.com', true)
  expect(renamed).toBe(newcomer)
  const roles = new Map((await desk.db.select().from(staff)).map((member) => [member.id, member.role]))
  expect([newcomer, unverified, admin].map((id) => roles.get(id))).toEqual(['viewer', 'viewer', 'admin'])
  await desk.db.update(staff).set({ disabledAt: new Date() })
  const isAdmitted = await signInOptions().callbacks?.signIn?.({
    user: { id: 'subject-1', email: 'new@example.com' },
    account: { provider: 'oidc' },
    profile: { sub: 'subject-1' },
  } as never)
  expect(isAdmitted).toBe(false)
})

test('the cookie holds the session id alone, and /api/auth/session tells nothing of the person', async () => {
  const desk = await openConsole({ seeded: 1 })
  const member = await desk.signIn('support')
  const { callbacks } = signInOptions()
  const token = await callbacks?.jwt?.({
    token: { name: 'Samuel Ng', email: 'x@example.com', sub: member?.id },
    user: { id: member?.id ?? '' },
  } as never)
  expect(Object.keys(token ?? {})).toEqual(['sessionId'])
  const session = await callbacks?.session?.({ session: { user: { name: 'x' }, expires: 'then' }, token } as never)
  expect(session).toEqual({ expires: 'then' })
  expect(await desk.db.select().from(sessions)).toHaveLength(2)
})

test('signing out ends the session on the server and is audited', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  expect(await endCurrentSession()).toBe('/sign-in')
  expect(await currentStaff()).toBeNull()
  const [session] = await desk.db.select().from(sessions)
  expect(session?.revokedAt).not.toBeNull()
  expect(await desk.db.select().from(auditEntries)).toMatchObject([{ act: 'sign-out', staffName: 'Samuel Ng' }])
})

test('after sign-in people go on to a path of the console, whatever the address asked for', async () => {
  await openConsole({ seeded: 1 })
  expect(returnPath('/sandbox/card-accounts?q=a&sort=name')).toBe('/sandbox/card-accounts?q=a&sort=name')
  const redirect = signInOptions().callbacks?.redirect
  const baseUrl = 'http://127.0.0.1:3000'
  for (const asked of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/./..//evil.example',
    '/%2e//evil.example',
    '/%2E%2e//evil.example',
    '/sandbox/..//evil.example',
    '/.\\/evil.example',
    '/./\t/evil.example',
    '/.//evil.example/sandbox?x=1#y',
    '/.//user@evil.example',
    'javascript:alert(1)',
    'http://127.0.0.1:3000.evil.example/',
    'http://127.0.0.1:3000@evil.example/',
    '/sign-in?callbackUrl=/',
    '/api/auth/signout',
    '',
    'sandbox',
  ]) {
    expect(returnPath(asked), asked).toBe('/')
    expect(await redirect?.({ url: asked, baseUrl }), asked).toBe(`${baseUrl}/`)
    expect(await redirect?.({ url: `${baseUrl}${asked}`, baseUrl }), asked).toBe(`${baseUrl}/`)
  }
  expect(await redirect?.({ url: `${baseUrl}/sandbox`, baseUrl })).toBe(`${baseUrl}/sandbox`)
})
