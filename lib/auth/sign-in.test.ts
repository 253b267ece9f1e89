import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { eq, isNull, sql } from 'drizzle-orm'
import { NextRequest } from 'next/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { changeStaff, commandLine, inviteStaff } from '#lib/console/staff/staff-changes.ts'
import { openConsole, shareConsole } from '#lib/console/testing/open-console.ts'
import { consoleSettings, type OidcSettings } from '#lib/settings/console-settings.ts'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { returnPath } from '#lib/shared/routes.ts'
import { auditEntries, auditRepeats } from '#lib/tables/audit.ts'
import { sessions, staff } from '#lib/tables/staff.ts'
import { handleAuth } from './auth.ts'
import { currentStaff, openSession } from './session.ts'
import { signInChoices, signInOptions } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { listDemoStaff } from './staff.ts'

/** Of the tests that are tables: of the claims, each row has a subject of its own. */
const shared = shareConsole({ seeded: 1 })

type Authorize = (credentials: unknown, request: { headers: Record<string, string> }) => Promise<{ id: string } | null>

/** What the demo sign-in does with a form that came from that address. */
function authorizeFrom(remoteAddress: string): (staffId: unknown) => Promise<{ id: string } | null> {
  const id = randomUUID()
  connections().set(id, { remoteAddress, target: '/', socket: undefined as never })
  const [provider] = signInOptions().providers as unknown as [{ options: { authorize: Authorize } }]
  return (staffId) => provider.options.authorize({ staffId }, { headers: { [connectionHeader]: id } })
}

test('demo sign-in offers the staff by their roles, two admins among them, and signs in only these', async () => {
  await openConsole({ seeded: 1 })
  const choices = await signInChoices()
  if (choices.mode !== 'demo') throw new Error('not in demo mode')
  const offered = ['viewer', 'support', 'operations', 'approver', 'qa', 'admin', 'admin']
  expect(choices.staff.map(({ role }) => role)).toEqual(offered)
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
  expect(trail.filter(({ act, outcome }) => act === 'sign-in' && outcome === 'refused')).toMatchObject([
    { code: null },
    { code: 'TOO_MANY_ATTEMPTS' },
  ])
  expect((await desk.db.select().from(auditRepeats)).map(({ count }) => count).toSorted()).toEqual([0, 9])
})

const issuer = 'https://id.example.com'
const oidc: OidcSettings = {
  issuer,
  clientId: 'carddesk',
  credential: { secret: 'x' },
  scopes: 'openid email profile',
  signOut: 'get',
  maxAgeMs: null,
  acrValues: [],
  amrValues: [],
}

test('where a provider is set, the demo staff are not offered', async () => {
  await openConsole({ seeded: 1 })
  Object.assign(consoleSettings(), {
    isDemo: false,
    oidc: { ...oidc, issuer: 'https://id.example.com/' },
  })
  expect(await signInChoices()).toEqual({ mode: 'oidc', issuer: 'id.example.com' })
  expect(signInOptions().providers).toMatchObject([
    {
      id: 'oidc',
      wellKnown: 'https://id.example.com/.well-known/openid-configuration',
      checks: ['pkce', 'state', 'nonce'],
    },
  ])
})

test('by https every cookie of a sign-in is bound to the host', async () => {
  await openConsole({ seeded: 1 })
  useProvider()
  consoleSettings().consoleUrl = 'https://desk.example.com'
  const cookiesOf = Object.values(signInOptions().cookies ?? {})
  expect(cookiesOf).toHaveLength(6)
  for (const { name, options } of cookiesOf) {
    expect(name).toMatch(/^__Host-/)
    expect(options).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/', secure: true })
  }
})

test('a new sign-in in the same browser ends the session that it had', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const other = await openSession(desk.db, (await currentStaff())?.staff.id ?? '')
  const [, support] = await listDemoStaff(desk.db)
  const user = { id: support?.id ?? '', name: 'x', email: 'x' }
  const token = await signInOptions().callbacks?.jwt?.({ token: {}, user, account: null } as never)
  const open = await desk.db.select().from(sessions).where(isNull(sessions.revokedAt))
  expect(open.map(({ id }) => id).toSorted()).toEqual([other, token?.sessionId].toSorted())
  expect(await currentStaff()).toBeNull()
  expect(await desk.db.select().from(auditEntries)).toMatchObject([
    { act: 'sign-out', outcome: 'done' },
    { act: 'sign-in', outcome: 'done' },
  ])
})

test('a sign-in that cannot be audited sets no cookie', async () => {
  const desk = await openConsole({ seeded: 1 })
  const [member] = await listDemoStaff(desk.db)
  await desk.db.execute(sql`alter table console.audit_entries rename to missing`)
  const opened = signInOptions().callbacks?.jwt?.({ token: {}, user: { id: member?.id }, account: null } as never)
  await expect(opened).rejects.toThrow('audit_entries')
})

type Identity = { sub: string; email?: string; email_verified?: unknown; groups?: unknown } & Record<string, unknown>

/** Signs in through the provider; the staff id, the way to the sign-in page, or null where the person is not admitted. */
async function signInWithClaims(claims: Partial<Identity>): Promise<string | null> {
  const profile = { iss: issuer, ...claims }
  const [provider] = signInOptions().providers as unknown as [{ profile: () => { id: string } }]
  // next-auth folds the address of its own user, which makes a Kelvin sign a k.
  const user = { name: 'Somebody', email: profile.email?.toLowerCase(), ...provider.profile() }
  const account = { provider: 'oidc', providerAccountId: user.id, type: 'oauth' }
  const admitted = await signInOptions().callbacks?.signIn?.({ user, account, profile } as never)
  return typeof admitted === 'string' ? admitted : admitted === true ? user.id : null
}

function useProvider(
  admission: Partial<ReturnType<typeof consoleSettings>['admission']> = {},
  checks: Partial<OidcSettings> = {},
): void {
  const none = { adminEmails: [], groupRoles: [], emailDomains: [] }
  Object.assign(consoleSettings(), {
    isDemo: false,
    oidc: { ...oidc, ...checks },
    admission: { ...none, ...admission },
  })
}

test.each<[string, Omit<Identity, 'sub'>, string | null]>([
  ['a stranger', { email: 'new@elsewhere.example', email_verified: true }, null],
  ['somebody without an address', {}, null],
  ['a verified address of the domain', { email: 'new@Example.com', email_verified: true }, 'viewer'],
  ['an unverified address of the domain', { email: 'new@example.com' }, null],
  ['an address verified in words only', { email: 'new@example.com', email_verified: 'true' }, null],
  ['an address below the domain', { email: 'new@evil.example.com', email_verified: true }, null],
  ['an address that ends like the domain', { email: 'new@evilexample.com', email_verified: true }, null],
  [
    'an address of the domain once it is cut off',
    { email: `${'a'.repeat(188)}@example.com.attacker.test`, email_verified: true },
    null,
  ],
  ['an address of the domain without its NUL', { email: 'new@example.com\0', email_verified: true }, null],
  [
    'an address of the domain without a format character',
    { email: 'new@example.com\u200b', email_verified: true },
    null,
  ],
  ['two addresses in one', { email: 'new@evil.example@example.com', email_verified: true }, null],
  ['an address that is only the domain', { email: '@example.com', email_verified: true }, null],
  ['an admin with a Kelvin sign', { email: '\u212Aate@elsewhere.example', email_verified: true }, null],
  ['an admin with a k', { email: 'Kate@elsewhere.example', email_verified: true }, 'admin'],
  ['a listed admin', { email: 'Grace@elsewhere.example', email_verified: true }, 'admin'],
  ['an unverified listed admin', { email: 'grace@elsewhere.example', email_verified: false }, null],
  ['a member of a group', { groups: ['everybody', 'desk-ops'] }, 'operations'],
  ['a member of two groups: the first pair', { groups: ['desk-support', 'desk-ops'] }, 'operations'],
  ['a member of one group as text', { groups: 'desk-support' }, 'support'],
  ['a group that is no text', { groups: [{ name: 'desk-ops' }] }, null],
])('admission by claims: %s', async (_, claims, role) => {
  const profile = await asNewSubject(claims)
  useProvider({
    adminEmails: ['grace@elsewhere.example', 'kate@elsewhere.example'],
    groupRoles: [
      { group: 'desk-ops', role: 'operations' },
      { group: 'desk-support', role: 'support' },
    ],
    emailDomains: ['example.com'],
  })
  const id = await signInWithClaims(profile)
  const [member] = await shared.db.select().from(staff).where(eq(staff.origin, 'oidc'))
  expect([id, member?.role ?? null]).toEqual([member?.id ?? null, role])
  const entry = { act: 'sign-in', outcome: 'refused', code: 'NOT_ADMITTED' }
  expect(await refusedOf(profile)).toMatchObject(role === null ? [entry] : [])
})

test.each<[string, Record<string, unknown>]>([
  ['of another issuer, whatever the discovery document says by now', { iss: 'https://evil.example' }],
  ['without a subject', { sub: undefined }],
  ['with an empty subject', { sub: '' }],
  ['with a number as its subject', { sub: 42 }],
  ['with a subject that cannot be stored', { sub: 'olive\0' }],
  ['with half a character in its subject', { sub: 'olive\ud800' }],
  ['with a subject that no logout token may name', { sub: 'x'.repeat(301) }],
])('an ID token %s admits nobody', async (_, changes) => {
  const profile = { ...(await asNewSubject({ groups: ['desk-ops'] })), ...changes }
  useProvider({ groupRoles: [{ group: 'desk-ops', role: 'operations' }] })
  expect(await signInWithClaims(profile)).toBe('/sign-in?error=OAuthCallback')
  expect(await shared.db.select().from(staff).where(eq(staff.origin, 'oidc'))).toEqual([])
})

test('a failure at a sign-in names no claim, which next-auth would put into the address', async () => {
  const logged = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => logged.mockRestore())
  const desk = await openConsole({ seeded: 1 })
  useProvider({ groupRoles: [{ group: 'desk-ops', role: 'operations' }] })
  await desk.db.execute(sql`alter table console.staff rename to missing`)
  const error: unknown = await signInWithClaims({ sub: 'olive', groups: ['desk-ops'] }).catch(
    (thrown: unknown) => thrown,
  )
  expect(String(error)).toMatch(/^Error: The console failed\. Its log has the cause under [\w-]+\.$/)
})

/** The claims under a subject that nobody had, where the provider admitted nobody yet. */
async function asNewSubject(claims: Omit<Identity, 'sub'>): Promise<Identity> {
  await shared.db.delete(staff).where(eq(staff.origin, 'oidc'))
  return { ...claims, sub: randomUUID() }
}

async function refusedOf({ sub }: Identity) {
  return shared.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.targetId, `${issuer}|${sub}`))
}

test('an invitation admits the owner of the verified address alone, and stays theirs when the address changes', async () => {
  const desk = await openConsole({ seeded: 1 })
  useProvider()
  const invited = await inviteStaff(desk.db, commandLine, 'Olive@example.com', 'operations')
  expect(await signInWithClaims({ sub: 'stranger', email: 'olive@example.com', email_verified: false })).toBeNull()
  expect(await signInWithClaims({ sub: 'olive', email: 'olive@example.com', email_verified: true })).toBe(invited.id)
  expect(await signInWithClaims({ sub: 'stranger', email: 'olive@example.com', email_verified: true })).toBeNull()
  expect(await signInWithClaims({ sub: 'olive', email: 'renamed@example.com', email_verified: true })).toBe(invited.id)
  const [member] = await desk.db.select().from(staff).where(eq(staff.id, invited.id))
  expect(member).toMatchObject({ role: 'operations', email: 'renamed@example.com', oidcSubject: `${issuer}|olive` })
})

test('a person who left the group is refused and signed out; an assigned role stays; a disabled person is refused', async () => {
  const desk = await openConsole({ seeded: 1 })
  useProvider({ groupRoles: [{ group: 'desk', role: 'support' }] })
  const id = (await signInWithClaims({ sub: '1', groups: ['desk'] })) ?? ''
  await openSession(desk.db, id)
  expect(await signInWithClaims({ sub: '1', groups: [] })).toBeNull()
  const [session] = await desk.db.select().from(sessions).where(eq(sessions.staffId, id))
  expect(session?.revokedAt).not.toBeNull()
  await changeStaff(desk.db, commandLine, { act: 'staff.set-role', who: id, origin: 'oidc', role: 'operations' })
  expect(await signInWithClaims({ sub: '1', groups: [] })).toBe(id)
  await changeStaff(desk.db, commandLine, { act: 'staff.disable', who: id, origin: 'oidc' })
  expect(await signInWithClaims({ sub: '1', groups: ['desk'] })).toBeNull()
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.at(-1)).toMatchObject({ act: 'sign-in', outcome: 'refused', code: 'ACCESS_DISABLED' })
})

test('a group changes no assigned role, and an admin of a group stays what an admin made of them', async () => {
  const desk = await openConsole({ seeded: 1 })
  useProvider({ groupRoles: [{ group: 'admins', role: 'admin' }] })
  const invited = await inviteStaff(desk.db, commandLine, 'olive@example.com', 'support')
  const olive = { sub: 'olive', email: 'olive@example.com', email_verified: true }
  expect(await signInWithClaims({ ...olive, groups: ['admins'] })).toBe(invited.id)
  expect(await roleOf(desk, invited.id)).toEqual(['support', 'assigned'])
  await signInWithClaims({ sub: 'grace', groups: ['admins'] })
  const adam = (await signInWithClaims({ sub: 'adam', groups: ['admins'] })) ?? ''
  expect(await roleOf(desk, adam)).toEqual(['admin', 'claims'])
  await changeStaff(desk.db, commandLine, { act: 'staff.set-role', who: adam, origin: 'oidc', role: 'viewer' })
  expect(await signInWithClaims({ sub: 'adam', groups: ['admins'] })).toBe(adam)
  expect(await roleOf(desk, adam)).toEqual(['viewer', 'assigned'])
})

test('a listed admin is one for as long as the setting names the address, and an assigned admin beyond that', async () => {
  const desk = await openConsole({ seeded: 1 })
  const olive = { sub: 'olive', email: 'olive@example.com', email_verified: true }
  const { id } = await inviteStaff(desk.db, commandLine, olive.email, 'support')
  useProvider({ adminEmails: [olive.email] })
  expect(await signInWithClaims(olive)).toBe(id)
  expect(await roleOf(desk, id)).toEqual(['admin', 'claims'])
  const nowhere = { ipAddress: null, userAgent: null }
  await openSession(desk.db, id, nowhere, { oidcSessionId: null, idToken: 'a.b.c', authenticatedAt: null })
  useProvider()
  expect(await signInWithClaims(olive)).toBeNull()
  // Nor does one count as an admin who can no longer sign in.
  expect(await roleOf(desk, id)).toEqual(['viewer', 'claims'])
  expect(await desk.db.select().from(sessions).where(eq(sessions.staffId, id))).toMatchObject([{ sealedIdToken: null }])
  const roleChanges = await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'staff.set-role'))
  expect(roleChanges.map(({ comment, targetId }) => [comment, targetId])).toEqual([
    ['support to admin, at a sign-in', id],
    ['admin to viewer, at a sign-in', id],
  ])
  await changeStaff(desk.db, commandLine, { act: 'staff.set-role', who: id, origin: 'oidc', role: 'admin' })
  useProvider({ adminEmails: [olive.email] })
  expect(await signInWithClaims(olive)).toBe(id)
  expect(await roleOf(desk, id)).toEqual(['admin', 'assigned'])
})

async function roleOf({ db }: Pick<typeof shared, 'db'>, id: string): Promise<unknown> {
  const [member] = await db.select().from(staff).where(eq(staff.id, id))
  return member && [member.role, member.roleSource]
}

const hour = 3600
const strict = { acrValues: ['silver', 'gold'], amrValues: ['mfa', 'hwk'] }
test.each<[string, Partial<OidcSettings>, (now: number) => Record<string, unknown>, string | null]>([
  [
    'an authentication within the time',
    { maxAgeMs: 12 * hour * 1000 },
    (now) => ({ auth_time: now - 11 * hour }),
    null,
  ],
  ['a clock that is a little ahead', { maxAgeMs: 12 * hour * 1000 }, (now) => ({ auth_time: now + 30 }), null],
  [
    'an authentication before it',
    { maxAgeMs: 12 * hour * 1000 },
    (now) => ({ auth_time: now - 12 * hour - 90 }),
    'SIGN_IN_TOO_OLD',
  ],
  [
    'an authentication in the future',
    { maxAgeMs: 12 * hour * 1000 },
    (now) => ({ auth_time: now + 300 }),
    'SIGN_IN_TIME_UNKNOWN',
  ],
  ['a provider that ignores max_age', { maxAgeMs: 12 * hour * 1000 }, () => ({}), 'SIGN_IN_TIME_UNKNOWN'],
  ['a time as text', { maxAgeMs: hour * 1000 }, (now) => ({ auth_time: String(now) }), 'SIGN_IN_TIME_UNKNOWN'],
  ['any age where none is set', {}, () => ({}), null],
  ['the right strength', strict, () => ({ acr: 'gold', amr: ['pwd', 'mfa'] }), null],
  ['another acr', strict, () => ({ acr: 'bronze', amr: ['mfa'] }), 'SIGN_IN_TOO_WEAK'],
  ['no acr', strict, () => ({ amr: ['mfa'] }), 'SIGN_IN_TOO_WEAK'],
  ['another amr', strict, () => ({ acr: 'gold', amr: ['pwd'] }), 'SIGN_IN_TOO_WEAK'],
  ['amr that is no list', strict, () => ({ acr: 'gold', amr: 'mfa' }), 'SIGN_IN_TOO_WEAK'],
])('age and strength of a sign-in: %s', async (_, checks, authentication, code) => {
  useProvider({ groupRoles: [{ group: 'desk', role: 'support' }] }, checks)
  const now = Math.floor(Date.now() / 1000)
  const profile = await asNewSubject({ groups: ['desk'], ...authentication(now) })
  const result = await signInWithClaims(profile)
  const people = await shared.db.select().from(staff).where(eq(staff.origin, 'oidc'))
  const refused = await refusedOf(profile)
  if (code === null) {
    expect([people.map(({ id }) => id), refused]).toEqual([[result], []])
    return
  }
  expect([result, people]).toEqual([`/sign-in?error=${code}&fresh=on`, []])
  expect(refused).toMatchObject([{ act: 'sign-in', outcome: 'refused', code }])
})

test('the request names the age and the strength, and a session has the time of the authentication', async () => {
  const desk = await openConsole({ seeded: 1 })
  useProvider({}, { maxAgeMs: 12 * hour * 1000, ...strict })
  expect(signInOptions().providers).toMatchObject([
    { authorization: { params: { max_age: 43_200, acr_values: 'silver gold' } } },
  ])
  useProvider()
  const [provider] = signInOptions().providers
  expect(provider).toMatchObject({ authorization: { params: { scope: 'openid email profile' } } })
  expect(Object.keys((provider as unknown as { authorization: { params: object } }).authorization.params)).toHaveLength(
    1,
  )
  const [member] = await listDemoStaff(desk.db)
  const profile = { sub: '1', auth_time: 1_700_000_000 }
  await signInOptions().callbacks?.jwt?.({ token: {}, user: { id: member?.id }, account: {}, profile } as never)
  const [session] = await desk.db.select().from(sessions)
  expect(session?.authenticatedAt).toEqual(new Date(1_700_000_000_000))
})

test('a session stores the ID token only where the provider gets it at sign-out', async () => {
  const desk = await openConsole({ seeded: 1 })
  const [member] = await listDemoStaff(desk.db)
  for (const signOut of ['get', 'post'] as const) {
    useProvider({}, { signOut })
    const signedIn = { token: {}, user: { id: member?.id }, account: { id_token: 'a.b.c' }, profile: { sub: '1' } }
    const token = await signInOptions().callbacks?.jwt?.(signedIn as never)
    const [session] = await desk.db
      .select()
      .from(sessions)
      .where(eq(sessions.id, String(token?.sessionId)))
    expect(session?.sealedIdToken !== null, signOut).toBe(signOut === 'post')
  }
})

test('a client key signs in at the provider by private_key_jwt, without a secret', async () => {
  await openConsole({ seeded: 1 })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  useProvider({}, { credential: { key, keyId: 'one' } })
  const [provider] = signInOptions().providers
  expect(provider).toMatchObject({
    client: { token_endpoint_auth_method: 'private_key_jwt' },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one' }] },
  })
  expect(provider).not.toHaveProperty('clientSecret')
})

test.each([
  ...[
    '_log',
    'session',
    'signout',
    'providers',
    'verify-request',
    'error',
    'signin',
    'signin/oidc',
    'callback/other',
  ].map((step) => ['POST', step] as const),
  ['GET', 'callback/demo'] as const,
])('next-auth’s %s %s is not found, and nothing of it is logged', async (method, step) => {
  const logged = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => logged.mockRestore())
  const code = 'CANARY-4242424242424242'
  const body = method === 'POST' ? new URLSearchParams({ level: 'error', code }) : null
  const request = new NextRequest(`http://127.0.0.1:3000/api/auth/${step}`, { method, body })
  const response = await handleAuth(request, { params: Promise.resolve({ nextauth: step.split('/') }) })
  expect(response.status).toBe(404)
  signInOptions().logger?.error?.(code, new Error(code))
  expect(JSON.stringify(logged.mock.calls)).not.toContain('4242')
  expect(JSON.stringify(logged.mock.calls)).toContain('OTHER')
})

test('the cookie holds the session id alone, and /api/auth/session reveals nothing of the person', async () => {
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

function signOutFrom(site: string, returnTo: string | null = null): Promise<Response> {
  const body = new URLSearchParams(returnTo === null ? {} : { returnTo })
  const headers = { 'sec-fetch-site': site }
  return signOut(new Request('http://127.0.0.1:3000/sign-out', { method: 'POST', headers, body }))
}

test('signing out ends the session on the server, clears the browser’s cache and is audited', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  const response = await signOutFrom('same-origin')
  expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in'])
  expect(response.headers.get('clear-site-data')).toBe('"cache"')
  expect(await currentStaff()).toBeNull()
  const [session] = await desk.db.select().from(sessions)
  expect(session?.revokedAt).not.toBeNull()
  expect(await desk.db.select().from(auditEntries)).toMatchObject([{ act: 'sign-out', staffName: 'Samuel Ng' }])
})

test('a form of another site signs nobody out', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  for (const site of ['cross-site', 'same-site', 'none', '']) expect((await signOutFrom(site)).status, site).toBe(403)
  expect(await currentStaff()).not.toBeNull()
})

test('signing in again ends the session and leads back to a path of the console, authenticated again', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  const leadsTo = async (returnTo: string) => (await signOutFrom('same-origin', returnTo)).headers.get('location')
  expect(await leadsTo('/sandbox/fees')).toBe('/sign-in?callbackUrl=%2Fsandbox%2Ffees&fresh=on')
  expect(await currentStaff()).toBeNull()
  expect(await leadsTo('//evil.example')).toBe('/sign-in?callbackUrl=%2F&fresh=on')
})

test('sign-in leads to a path of the console, whatever the URL requested', async () => {
  await openConsole({ seeded: 1 })
  expect(returnPath('/sandbox/card-accounts?q=a&sort=name')).toBe('/sandbox/card-accounts?q=a&sort=name')
  const redirect = signInOptions().callbacks?.redirect
  const baseUrl = 'http://127.0.0.1:3000'
  for (const requested of [
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
    expect(returnPath(requested), requested).toBe('/')
    expect(await redirect?.({ url: requested, baseUrl }), requested).toBe(`${baseUrl}/`)
    expect(await redirect?.({ url: `${baseUrl}${requested}`, baseUrl }), requested).toBe(`${baseUrl}/`)
  }
  expect(await redirect?.({ url: `${baseUrl}/sandbox`, baseUrl })).toBe(`${baseUrl}/sandbox`)
})
