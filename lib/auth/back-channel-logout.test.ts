import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { encode } from 'next-auth/jwt'
import { NextRequest } from 'next/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setCookie } from '#lib/console/testing/next-headers.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { sessions, staff } from '#lib/tables/staff.ts'
import { handleAuth } from './auth.ts'
import { backChannelLogout } from './back-channel-logout.ts'
import { discoverProvider } from './provider.ts'
import { openSession } from './session.ts'
import { signOut } from './sign-out.ts'

const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
let issuer = ''
let key: CryptoKey
let foreignKey: CryptoKey
let claimedIssuer: string | null = null
let isDown = false
/** What stands in place of the provider's keys. */
let brokenKeys: { status: number; body: string } | null = null
const requested: string[] = []

const server = createServer((request, response) => {
  requested.push(request.url ?? '')
  void (async () => {
    if (isDown) return response.writeHead(503).end()
    const { publicKey } = await keys
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    const metadata = {
      issuer: claimedIssuer ?? issuer,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/session/end?a=1&b="`,
    }
    response.setHeader('content-type', 'application/json')
    if (request.url === '/jwks' && brokenKeys) return response.writeHead(brokenKeys.status).end(brokenKeys.body)
    return response.end(JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : metadata))
  })()
})
const keys = generateKeyPair('RS256', { extractable: true })

beforeAll(async () => {
  key = (await keys).privateKey
  foreignKey = (await generateKeyPair('RS256')).privateKey
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** Two people of the provider; the first has two sessions there. */
async function arrange() {
  delete (globalThis as { carddeskProvider?: unknown }).carddeskProvider
  claimedIssuer = null
  isDown = false
  brokenKeys = null
  const desk = await openConsole({ seeded: 1 })
  const none = { signOut: 'get' as const, maxAgeMs: null, acrValues: [], amrValues: [] }
  const oidc = { issuer, clientId: 'carddesk', credential: { secret: 'x' }, scopes: 'openid', ...none }
  Object.assign(consoleSettings(), { isDemo: false, oidc })
  const people = await desk.db.select().from(staff).limit(2)
  for (const [index, { id }] of people.entries()) {
    const subject = { origin: 'oidc' as const, oidcSubject: `${issuer}|person-${index}` }
    await desk.db.update(staff).set(subject).where(eq(staff.id, id))
  }
  const [first, second] = people.map(({ id }) => id)
  const open = (staffId: string | undefined, oidcSessionId: string) =>
    openSession(desk.db, staffId ?? '', undefined, {
      oidcSessionId,
      idToken: 'header.payload.signature',
      authenticatedAt: null,
    })
  const ids = {
    laptop: await open(first, 'sid-1'),
    phone: await open(first, 'sid-2'),
    other: await open(second, 'sid-3'),
  }
  const ended = async () => {
    const rows = await desk.db.select().from(sessions)
    const over = rows.filter(({ revokedAt, sealedIdToken }) => revokedAt !== null && sealedIdToken === null)
    return Object.entries(ids).flatMap(([name, id]) => (over.some((row) => row.id === id) ? [name] : []))
  }
  return { desk, ended }
}

type Changes = { claims?: JWTPayload; key?: CryptoKey; kid?: string; typ?: string | undefined }

function logoutToken({ claims = {}, key: signedWith = key, kid = 'one', ...header }: Changes = {}) {
  const now = Math.floor(Date.now() / 1000)
  const payload: JWTPayload = {
    iss: issuer,
    aud: 'carddesk',
    iat: now,
    exp: now + 120,
    jti: crypto.randomUUID(),
    events: event,
    sid: 'sid-1',
    ...claims,
  }
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, typ: 'logout+jwt', ...header }).sign(signedWith)
}

async function post(token: string): Promise<number> {
  const body = new URLSearchParams({ logout_token: token })
  const request = new Request('http://127.0.0.1/api/session/back-channel-logout', { method: 'POST', body })
  const response = await backChannelLogout(request)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return response.status
}

test('a logout token ends the session that its sid names, all of its sub, and only what both name', async () => {
  const { desk, ended } = await arrange()
  expect(await post(await logoutToken({ claims: { sid: 'sid-1', sub: 'person-1' } }))).toBe(200)
  expect(await ended()).toEqual([])
  expect(await post(await logoutToken())).toBe(200)
  expect(await ended()).toEqual(['laptop'])
  expect(await post(await logoutToken({ claims: { sid: undefined, sub: 'person-0' } }))).toBe(200)
  expect(await ended()).toEqual(['laptop', 'phone'])
  expect(await post(await logoutToken({ claims: { sid: 'of nobody' } }))).toBe(200)
  const trail = await desk.db.select().from(auditEntries)
  expect(trail).toMatchObject([
    { act: 'sign-out', outcome: 'done', comment: 'by the OpenID provider' },
    { act: 'sign-out', outcome: 'done', comment: 'by the OpenID provider' },
  ])
})

const seconds = () => Math.floor(Date.now() / 1000)

test.each<[string, () => Changes | Promise<Changes>]>([
  ['another key', () => ({ key: foreignKey })],
  ['an unknown key', () => ({ key: foreignKey, kid: 'two' })],
  ['another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
  ['another audience', () => ({ claims: { aud: 'another client' } })],
  ['no audience', () => ({ claims: { aud: undefined } })],
  ['a past expiry', () => ({ claims: { exp: seconds() - 120 } })],
  ['an old time of issue', () => ({ claims: { iat: seconds() - 3600, exp: seconds() + 3600 } })],
  ['no time of issue', () => ({ claims: { iat: undefined } })],
  ['no id', () => ({ claims: { jti: undefined } })],
  ['an id that no column can hold', () => ({ claims: { jti: 'one\0' } })],
  ['a subject that no column can hold', () => ({ claims: { sub: 'person-0\0' } })],
  ['a nonce, as an ID token has', () => ({ claims: { nonce: 'n' } })],
  ['no event', () => ({ claims: { events: undefined } })],
  ['another event', () => ({ claims: { events: { 'https://example.com/event': {} } } })],
  ['neither sid nor sub', () => ({ claims: { sid: undefined } })],
  ['the type of an access token', () => ({ typ: 'at+jwt' })],
  ['the type of any token', () => ({ typ: 'JWT' })],
  ['no type', () => ({ typ: undefined })],
])('a logout token with %s is refused and ends nothing', async (_, changes) => {
  const { desk, ended } = await arrange()
  expect(await post(await logoutToken(await changes()))).toBe(400)
  expect(await ended()).toEqual([])
  expect(await desk.db.select().from(auditEntries)).toMatchObject([{ act: 'back-channel-logout', outcome: 'refused' }])
})

test('an unsigned token, one signed with the client’s secret, no token and a huge body are refused', async () => {
  const { ended } = await arrange()
  const [, payload] = (await logoutToken()).split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'logout+jwt' })).toString('base64url')
  expect(await post(`${none}.${payload}.`)).toBe(400)
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as JWTPayload
  const shared = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
  expect(await post(await shared.sign(Buffer.from('x'.repeat(32))))).toBe(400)
  expect(await post('')).toBe(400)
  expect(await post('x'.repeat(20_000))).toBe(400)
  const json = new Request('http://127.0.0.1/', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'text/json' },
  })
  expect((await backChannelLogout(json)).status).toBe(400)
  expect(await ended()).toEqual([])
})

test.each([
  ['503', ''],
  ['200', '<html>'],
  ['200', '{}'],
  ['200', 'more than 1 MiB'],
])('a right logout token is to be sent again where the provider’s keys are %s %s', async (status, body) => {
  const { desk, ended } = await arrange()
  const token = await logoutToken()
  // The right keys, behind what nobody has to read.
  const { publicKey } = await keys
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const large = JSON.stringify({ padding: 'x'.repeat(1024 * 1024), keys: [jwk] })
  brokenKeys = { status: Number(status), body: body.startsWith('more') ? large : body }
  expect(await post(token)).toBe(503)
  expect([await ended(), await desk.db.select().from(auditEntries)]).toEqual([[], []])
  brokenKeys = null
  expect(await post(token)).toBe(200)
  expect(await ended()).toEqual(['laptop'])
})

test('a logout token counts once', async () => {
  const { desk, ended } = await arrange()
  const token = await logoutToken()
  expect(await Promise.all([post(token), post(token)]).then((all) => all.toSorted())).toEqual([200, 400])
  expect(await ended()).toEqual(['laptop'])
  await desk.db.update(sessions).set({ revokedAt: null })
  expect(await post(token)).toBe(400)
})

/** Signs out of a session at the provider. */
async function signOutOf(idToken: string | null) {
  const { desk } = await arrange()
  consoleSettings().isDemo = true
  await desk.db.update(staff).set({ origin: 'demo' })
  const [member] = await desk.db.select().from(staff).limit(1)
  const oidc = { oidcSessionId: null, idToken, authenticatedAt: null }
  const sessionId = await openSession(desk.db, member?.id ?? '', undefined, oidc)
  const { sessionSecret: secret } = consoleSettings()
  setCookie('carddesk-session', await encode({ token: { sessionId }, secret }))
  return async () => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const response = await signOut(new Request('http://127.0.0.1:3000/sign-out', { method: 'POST', headers }))
    const [ended] = await desk.db.select().from(sessions).where(eq(sessions.id, sessionId))
    expect([ended?.revokedAt === null, ended?.sealedIdToken]).toEqual([false, null])
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
    return response
  }
}

test('signing out here leads on to the provider’s sign-out, without the ID token', async () => {
  const response = await (await signOutOf(null))()
  const page = await response.text()
  const [, href = ''] = /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(page) ?? []
  const url = new URL(href.replaceAll('&amp;', '&'))
  expect(url.origin + url.pathname).toBe(`${issuer}/session/end`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    a: '1',
    b: '"',
    client_id: 'carddesk',
    post_logout_redirect_uri: 'http://127.0.0.1:3000/sign-in',
  })
})

test('signing out here posts the ID token to a provider that needs it, and to no other origin', async () => {
  const response = await (await signOutOf('a.b.c'))()
  const page = await response.text()
  expect(page).toContain(`<form method="post" action="${issuer}/session/end?a=1&amp;b=&quot;">`)
  expect([...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])).toEqual([
    ['client_id', 'carddesk'],
    ['post_logout_redirect_uri', 'http://127.0.0.1:3000/sign-in'],
    ['id_token_hint', 'a.b.c'],
  ])
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain(`form-action 'self' ${issuer};`)
  expect(page).toContain(`<script nonce="${/'nonce-(.+?)'/.exec(policy)?.[1]}">`)
})

test('signing out here leads to the sign-in page where the provider is down', async () => {
  const leave = await signOutOf('a.b.c')
  isDown = true
  const response = await leave()
  expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in'])
})

test('a discovery document of another issuer counts for nothing', async () => {
  const { ended } = await arrange()
  claimedIssuer = 'https://evil.example'
  await expect(discoverProvider()).rejects.toThrow('another issuer')
  expect(await post(await logoutToken())).toBe(503)
  expect(await ended()).toEqual([])
})

test.each([
  ['POST', 'signin/oidc'],
  ['GET', 'callback/oidc'],
])('%s %s stops at a discovery document of another issuer', async (method, step) => {
  const { desk } = await arrange()
  const nextauth = step.split('/')
  const handle = () =>
    handleAuth(new NextRequest(`http://127.0.0.1:3000/api/auth/${step}?code=x`, { method }), {
      params: Promise.resolve({ nextauth }),
    })
  requested.length = 0
  claimedIssuer = 'https://evil.example'
  expect((await handle()).headers.get('location')).toBe('/sign-in?error=OAuthSignin')
  expect(requested).toEqual(['/.well-known/openid-configuration'])
  const attempts = await desk.db.select().from(auditEntries)
  expect(attempts.map(({ act, outcome }) => [act, outcome])).toEqual(
    step === 'callback/oidc' ? [['sign-in', 'refused']] : [],
  )
})

test('a way back from the provider without a code ends before next-auth, which would take an ID token in the address', async () => {
  const { desk } = await arrange()
  requested.length = 0
  const address = `http://127.0.0.1:3000/api/auth/callback/oidc?state=x&id_token=${await logoutToken()}`
  const params = Promise.resolve({ nextauth: ['callback', 'oidc'] })
  const response = await handleAuth(new NextRequest(address), { params })
  expect([response.headers.get('location'), requested]).toEqual(['/sign-in?error=OAuthCallback', []])
  const attempts = await desk.db.select().from(auditEntries)
  expect(attempts.map(({ act, outcome }) => [act, outcome])).toEqual([['sign-in', 'refused']])
})
