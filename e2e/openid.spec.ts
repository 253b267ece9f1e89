import { createHash, createHmac, generateKeyPairSync } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { JWK } from 'jose'
import { freePort } from '#lib/db/free-port.ts'
import { openAction, cardPath, dialog } from './card-screen.ts'
import { takePicture } from './every-look.ts'
import { expect, expectLive, test } from './fixtures.ts'
import {
  clientId,
  clientSecret,
  CookieJar,
  settingsFor,
  signInByProvider,
  startProvider,
  strength,
  type OpenIdProvider,
} from './openid-provider.ts'
import { startServer, type StartedServer } from './server.ts'
import { createServiceCaller, findCard } from './service-caller.ts'
import { expectDone } from './toast.ts'

/* Sign-in for organisations, against a certified OpenID provider; step-up with the browser's virtual authenticator. */

const people = {
  olive: { name: 'Olive Chan', email: 'olive@example.com', email_verified: true, groups: ['desk-ops'] },
  grace: { name: 'Grace Ma', email: 'grace@example.com', email_verified: true, groups: ['desk-admins'] },
  chloe: { name: 'Chloe Lam', email: 'chloe@example.com', email_verified: true, groups: ['desk-ops'] },
  piotr: { name: 'Piotr Yu', email: 'piotr@example.com', email_verified: true, groups: ['desk-ops'] },
  stranger: { name: 'A Stranger', email: 'stranger@example.com', email_verified: true, groups: ['kitchen'] },
}
type Name = keyof typeof people

let server: StartedServer
let provider: OpenIdProvider

test.describe.configure({ timeout: 90_000 })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  const port = await freePort()
  const url = `http://localhost:${port}`
  provider = await startProvider(url, people)
  server = await startServer({ settings: { ...settingsFor(url, provider), OIDC_ADMIN_EMAILS: 'kate@example.com' } })
})

test.afterAll(async () => {
  await server?.stop()
  await provider?.close()
})

const at = (path: string) => `${server.url}${path}`

function signIn(page: Page, name: Name, path = '/sandbox'): Promise<void> {
  return signInByProvider(page, at(path), name)
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name })
}

/** Adds a passkey of the browser's virtual authenticator, which verifies its user each time. */
async function enrolPasskey(
  page: Page,
  open: () => Promise<unknown> = () => page.goto(at('/settings/account')),
): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  await open()
  await expect(page.getByText('Add a passkey.', { exact: true })).toBeVisible()
  await expectLive(page)
  await page.getByRole('button', { name: 'Add passkey…' }).click()
  const window = page.getByRole('dialog', { name: 'Add a passkey?' })
  await window.getByLabel('Name').fill('Work laptop')
  await window.getByRole('button', { name: 'Add passkey' }).click()
  await expect(window).toBeHidden()
}

test('a stranger at the provider gets "Ask your admin for access" and nothing else', async ({ page }) => {
  await signIn(page, 'stranger', '/sandbox/card-accounts')
  await expect(page.getByText('Ask your admin for access.')).toBeVisible()
  await page.goto(at('/sandbox/card-accounts'))
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('a group gives its role; signing out ends the session at the provider too', async ({ page, expectProblem }) => {
  // What the page reads by itself between the end of the session and the way to the provider.
  expectProblem(/401/)
  await signIn(page, 'olive', '/sandbox/fees')
  await expect(heading(page, 'Fees')).toBeVisible()
  const menu = page.getByRole('button', { name: /Olive Chan/ })
  await expect(menu).toContainText('Operations')
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  // A press before the page is hydrated opens no menu.
  await expect(async () => {
    await menu.click()
    await expect(signOut).toBeVisible({ timeout: 2000 })
  }).toPass()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await signOut.click()
  await expect(heading(page, 'Sign out of the company?')).toBeVisible()
  expect(page.url()).toContain(`${provider.issuer}/session/end?client_id=${clientId}&`)
  expect(urls).toContain(at('/sign-out'))
  expect(urls.filter((url) => url.includes('id_token') || url.includes('eyJ'))).toEqual([])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  expect(page.url()).toBe(at('/sign-in'))
  await page.getByRole('button', { name: 'Sign in with your company account' }).click()
  await expect(heading(page, 'Company sign-in')).toBeVisible()
})

test('a sign-out at the provider ends the session here with the next request', async ({ page, expectProblem }) => {
  expectProblem(/401/)
  await signIn(page, 'olive')
  await expect(heading(page, 'Home')).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto(`${provider.issuer}/session/end`)
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await expect(tab.getByText(/Sign-out Success/i)).toBeVisible()
  // The open page is left by its next read, 10 s later at most; going anywhere meanwhile would be aborted.
  await expect(heading(page, 'Sign in')).toBeVisible({ timeout: 25_000 })
  await page.goto(at('/sandbox/fees'))
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('a passkey confirms revealing and cancelling a card, which are refused without one', async ({
  page,
  expectAccessibleInEveryLook,
}) => {
  await signIn(page, 'olive')
  await expect(heading(page, 'Home')).toBeVisible()
  const card = await findCard(createServiceCaller(server.access), 'active')
  const reveal = page.getByRole('dialog', { name: /card ending/i })
  const openReveal = async () => {
    await page.goto(at(cardPath(card)))
    await page.getByRole('button', { name: 'Reveal card' }).click()
    await reveal.getByLabel('Reason').selectOption({ label: 'Cardholder request' })
    await reveal.getByRole('button', { name: 'Reveal card' }).click()
  }
  await openReveal()
  await expect(reveal.getByText(/This needs a passkey, and you have none yet/)).toBeVisible()

  // From the refusal to the enrolment, and back to the card.
  await enrolPasskey(page, async () => {
    await reveal.getByRole('link', { name: 'Add a passkey' }).click()
    await expect(page.getByText('You’ll return to where you were.')).toBeVisible()
  })
  await expect(page).toHaveURL(at(cardPath(card)))
  await page.goto(at('/settings/account'))
  await expect(page.getByRole('table', { name: 'Passkeys' }).getByText('Work laptop').first()).toBeVisible()
  await expectAccessibleInEveryLook()
  await takePicture(page, 'account')
  await openReveal()
  await expect(page.getByTitle('Card details')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reveal).toBeHidden()

  await openAction(page, 'Cancel card')
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Cardholder request' })
  const typed = dialog(page).getByLabel(/Type the last four digits, \d{4}/)
  const last4 = /\d{4}/.exec((await dialog(page).textContent())?.split('Type the last four digits, ')[1] ?? '')?.[0]
  await typed.fill(last4 ?? '')
  await dialog(page).getByRole('button', { name: 'Cancel card' }).click()
  await expectDone(page, 'Card cancelled')
  await page.goto(at('/sandbox/audit?act=step-up'))
  await expect(page.getByRole('row').filter({ hasText: 'Confirm with a passkey' })).toHaveCount(2)
})

test('a passkey confirms ending another own session, which is refused without one', async ({ page, browser }) => {
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await signIn(other, 'piotr')
  await expect(heading(other, 'Home')).toBeVisible()
  await signIn(page, 'piotr', '/sandbox/settings/account')
  await expectLive(page)
  const sessions = page.getByRole('table', { name: 'Sessions' })
  const window = page.getByRole('alertdialog', { name: /End the session of/ })
  const end = async () => {
    await sessions.getByRole('button', { name: 'End the session of' }).click()
    await window.getByRole('button', { name: 'End session' }).click()
  }
  await end()
  await expect(window.getByText(/This needs a passkey, and you have none yet/)).toBeVisible()
  await enrolPasskey(page)
  await end()
  await expectDone(page, 'Session ended')
  await expect(sessions.getByRole('row')).toHaveCount(2)
  await expect(heading(other, 'Sign in')).toBeVisible()
  await elsewhere.close()
})

test('an admin changes a role with a passkey, from the next request on, and removes a person’s passkeys', async ({
  page,
  browser,
  expectAccessibleInEveryLook,
}) => {
  const others = await browser.newContext()
  const chloe = await others.newPage()
  await signIn(chloe, 'chloe')
  await expect(chloe.getByRole('button', { name: /Chloe Lam/ })).toContainText('Operations')
  await enrolPasskey(chloe)

  await signIn(page, 'grace')
  await expect(heading(page, 'Home')).toBeVisible()
  await enrolPasskey(page)
  await page.goto(at('/settings/staff'))
  const row = page.getByRole('row').filter({ hasText: 'chloe@example.com' })
  await expect(row).toContainText('Operations')
  await expectAccessibleInEveryLook()
  await takePicture(page, 'staff')

  const open = async (item: string) => {
    await row.getByRole('button', { name: 'Actions on Chloe Lam' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await open('Change role…')
  await dialog(page).getByLabel('Role').selectOption({ label: 'Viewer' })
  await takePicture(page, 'change-role')
  await dialog(page).getByRole('button', { name: 'Change role' }).click()
  await expectDone(page, 'Role changed')
  await expect(row).toContainText('Viewer')
  await chloe.reload()
  await expect(chloe.getByRole('button', { name: /Chloe Lam/ })).toContainText('Viewer')

  await open('Remove passkeys…')
  await dialog(page).getByRole('button', { name: 'Remove passkeys' }).click()
  await expectDone(page, 'Passkeys removed')
  await expect(heading(chloe, 'Sign in')).toBeVisible()
  await others.close()

  await page.getByRole('button', { name: 'Invite person…' }).click()
  const invitation = page.getByRole('dialog', { name: 'Invite a person?' })
  await invitation.getByLabel('E-mail address').fill('new.person@example.com')
  await takePicture(page, 'invite')
  await invitation.getByRole('button', { name: 'Invite person' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'new.person@example.com' })).toContainText('Invited')
})

test('a console with a key of its own signs people in without a client secret', async ({ page }) => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = await startProvider(url, people, publicKey.export({ format: 'jwk' }) as JWK)
  const { OIDC_CLIENT_SECRET: _secret, ...settings } = settingsFor(url, other)
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const console = await startServer({ settings: { ...settings, OIDC_CLIENT_KEY: key } })
  try {
    await signInByProvider(page, `${url}/sandbox`, 'olive')
    await expect(heading(page, 'Home')).toBeVisible()
    // What it reads by itself ends before the console does.
    await page.close()
  } finally {
    await console.stop()
    await other.close()
  }
})

test('single sign-on opens a session, except where the person has to authenticate again', async ({
  page,
  expectProblem,
}) => {
  // What the page reads by itself once its session is taken away.
  expectProblem(/401/)
  await signIn(page, 'olive')
  await expect(heading(page, 'Home')).toBeVisible()
  for (const search of ['', '?fresh=on']) {
    // An open page whose session is gone leaves for the sign-in by itself.
    await page.goto('about:blank')
    await page.context().clearCookies({ name: 'carddesk-session' })
    await page.goto(at(`/sign-in${search}`))
    await page.getByRole('button', { name: 'Sign in with your company account' }).click()
    await expect(heading(page, search ? 'Company sign-in' : 'Home')).toBeVisible()
  }
})

test.describe('attacks on the sign-in', () => {
  const sessionCookie = 'carddesk-session'

  /** What the console sent to the provider. */
  type Started = { jar: CookieJar; authorization: URL; state: string; nonce: string }

  async function begin(callbackUrl = '/sandbox', jar = new CookieJar()): Promise<Started> {
    const { csrfToken } = (await (await jar.fetch(at('/api/auth/csrf'))).json()) as { csrfToken: string }
    const body = new URLSearchParams({ csrfToken, callbackUrl })
    const response = await jar.fetch(at('/api/auth/signin/oidc'), { method: 'POST', body })
    const authorization = new URL(response.headers.get('location') ?? '')
    const { searchParams } = authorization
    return { jar, authorization, state: searchParams.get('state') ?? '', nonce: searchParams.get('nonce') ?? '' }
  }

  /** Comes back from the provider. Returns where the console leads to, and whether it opened a session. */
  async function comeBack({ jar }: Started, parameters: Record<string, string>) {
    const url = `${at('/api/auth/callback/oidc')}?${new URLSearchParams(parameters)}`
    const response = await jar.fetch(url)
    return { location: response.headers.get('location') ?? '', session: jar.get(sessionCookie) ?? null }
  }

  function claims(nonce: string, changes: Record<string, unknown> = {}) {
    const now = Math.floor(Date.now() / 1000)
    const { issuer } = provider
    const own = { iss: issuer, aud: clientId, sub: 'olive', iat: now, exp: now + 300, nonce, auth_time: now }
    return { ...own, acr: strength, ...people.olive, ...changes }
  }

  /** Signs in with an ID token of the test. */
  async function signInWith(started: Started, idToken: string | Promise<string>, changes: Record<string, string> = {}) {
    provider.forgeNextToken(async () => ({ access_token: 'x', token_type: 'Bearer', id_token: await idToken }))
    return comeBack(started, { code: 'a-code', state: started.state, iss: provider.issuer, ...changes })
  }

  const refused = { location: expect.stringMatching(/[?&]error=OAuthCallback/) as unknown, session: null }

  test('the same steps sign in without an attack; the request has state, nonce and an S256 challenge', async () => {
    const started = await begin('/sandbox/fees')
    const { searchParams } = started.authorization
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect([searchParams.get('max_age'), searchParams.get('acr_values')]).toEqual(['43200', strength])
    expect([started.state.length, started.nonce.length].every((length) => length >= 20)).toBe(true)
    let verifier = ''
    const idToken = await provider.sign(claims(started.nonce))
    provider.forgeNextToken((body) => {
      verifier = body.get('code_verifier') ?? ''
      return { access_token: 'x', token_type: 'Bearer', id_token: idToken }
    })
    const { location, session } = await comeBack(started, { code: 'x', state: started.state, iss: provider.issuer })
    expect([location, session !== null]).toEqual(['/sandbox/fees', true])
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(searchParams.get('code_challenge'))
  })

  test('1, another state is refused', async () => {
    const started = await begin()
    const idToken = provider.sign(claims(started.nonce))
    expect(await signInWith(started, idToken, { state: 'x'.repeat(43) })).toEqual(refused)
    const other = await begin()
    expect(await signInWith(await begin(), idToken, { state: other.state })).toEqual(refused)
  })

  test('2, an ID token with another nonce, or none, is refused', async () => {
    for (const nonce of ['another', undefined]) {
      const started = await begin()
      expect(await signInWith(started, provider.sign(claims(started.nonce, { nonce })))).toEqual(refused)
    }
  })

  test('3, a code that is replayed is refused by console and provider', async () => {
    const started = await begin()
    const { state } = started
    const browser = new CookieJar()
    let response = await browser.fetch(started.authorization.href)
    const interaction = new URL(response.headers.get('location') ?? '', provider.issuer).href
    response = await browser.fetch(interaction, { method: 'POST', body: new URLSearchParams({ person: 'olive' }) })
    response = await browser.fetch(response.headers.get('location') ?? '')
    const { searchParams } = new URL(response.headers.get('location') ?? '')
    const code = searchParams.get('code') ?? ''
    const cookies = ['state', 'nonce', 'pkce.code_verifier'].map((name) => `next-auth.${name}`)
    const saved = cookies.map((name) => [name, started.jar.get(name) ?? null] as const)
    const first = await comeBack(started, { code, state, iss: provider.issuer })
    expect(first.location).toBe('/sandbox')
    started.jar.set(sessionCookie, null)
    expect(await comeBack(started, { code, state, iss: provider.issuer })).toEqual(refused)
    for (const [name, value] of saved) started.jar.set(name, value)
    expect(await comeBack(started, { code, state, iss: provider.issuer })).toEqual(refused)
  })

  test('4, a browser without the code verifier is refused, and so is a request without a challenge', async () => {
    const started = await begin()
    started.jar.set('next-auth.pkce.code_verifier', null)
    expect(await signInWith(started, provider.sign(claims(started.nonce)))).toEqual(refused)
    started.authorization.searchParams.delete('code_challenge')
    const response = await new CookieJar().fetch(started.authorization.href)
    expect(response.headers.get('location')).toContain('error=invalid_request')
  })

  test('5, another issuer is refused, in the response and in the ID token', async () => {
    const first = await begin()
    const iss = 'https://evil.example'
    expect(await signInWith(first, provider.sign(claims(first.nonce)), { iss })).toEqual(refused)
    const second = await begin()
    expect(await signInWith(second, provider.sign(claims(second.nonce, { iss })))).toEqual(refused)
  })

  test('6, an unsigned ID token is refused, and one signed with the client’s secret', async () => {
    const started = await begin()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${part({ alg: 'none' })}.${part(claims(started.nonce))}.`
    expect(await signInWith(started, unsigned)).toEqual(refused)
    const second = await begin()
    const [, payload] = (await provider.sign(claims(second.nonce))).split('.')
    const head = part({ alg: 'HS256' })
    const mac = createHmac('sha256', clientSecret).update(`${head}.${payload}`).digest('base64url')
    expect(await signInWith(second, `${head}.${payload}.${mac}`)).toEqual(refused)
  })

  test('7, an expired ID token is refused', async () => {
    const started = await begin()
    const past = Math.floor(Date.now() / 1000) - 600
    expect(await signInWith(started, provider.sign(claims(started.nonce, { iat: past, exp: past + 60 })))).toEqual(
      refused,
    )
  })

  test('8, an ID token for another client is refused', async () => {
    const started = await begin()
    expect(await signInWith(started, provider.sign(claims(started.nonce, { aud: 'another client' })))).toEqual(refused)
  })

  test('attempts that did not finish are in the audit log', async () => {
    const unfinished = await begin()
    const idToken = provider.sign(claims(unfinished.nonce))
    expect(await signInWith(unfinished, idToken, { state: 'x'.repeat(43) })).toEqual(refused)
    const started = await begin()
    await signInWith(started, provider.sign(claims(started.nonce, { sub: 'grace', ...people.grace })))
    const response = await started.jar.fetch(at('/api/sandbox/audit?act=sign-in&outcome=refused'))
    const { entries } = (await response.json()) as { entries: { code: string | null; by: unknown }[] }
    expect(entries).toContainEqual(expect.objectContaining({ by: null, code: null }))
  })

  test('9, a forged logout token ends nothing; a right one ends the session', async () => {
    const started = await begin()
    const { session } = await signInWith(started, provider.sign(claims(started.nonce, { sid: 'a-session' })))
    const isOpen = async () => (await started.jar.fetch(at('/api/staff/current'))).status
    const now = Math.floor(Date.now() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const right = { iss: provider.issuer, aud: clientId, iat: now, exp: now + 60, jti: 'one', sid: 'a-session', events }
    const post = async (payload: object) => {
      const body = new URLSearchParams({ logout_token: await provider.sign({ ...payload }, 'logout+jwt') })
      return (await fetch(at('/api/session/back-channel-logout'), { method: 'POST', body })).status
    }
    expect(session).not.toBeNull()
    expect(await post({ ...right, aud: 'another client' })).toBe(400)
    expect(await post({ ...right, nonce: 'x' })).toBe(400)
    expect(await isOpen()).toBe(200)
    expect(await post(right)).toBe(200)
    expect(await post(right)).toBe(400)
    expect(await isOpen()).toBe(401)
  })

  test('10, the way back leads to the console alone', async () => {
    for (const callbackUrl of ['https://evil.example/', '//evil.example', '/.//evil.example', '/\\evil.example']) {
      const started = await begin(callbackUrl)
      const { location, session } = await signInWith(started, provider.sign(claims(started.nonce)))
      expect([location, session !== null], callbackUrl).toEqual(['/', true])
    }
  })

  test('11, a session that was planted before the sign-in is not the one after it', async () => {
    const attacker = await begin()
    const { session: planted } = await signInWith(attacker, provider.sign(claims(attacker.nonce, { sub: 'grace' })))
    const jar = new CookieJar()
    jar.set(sessionCookie, planted)
    const started = await begin('/sandbox', jar)
    const { session } = await signInWith(started, provider.sign(claims(started.nonce)))
    expect(session).not.toBe(planted)
    const statusOf = async (one: CookieJar) => (await one.fetch(at('/api/staff/current'))).status
    expect(await statusOf(jar)).toBe(200)
    // The planted session ends with the sign-in.
    expect(await statusOf(attacker.jar)).toBe(401)
  })

  test('15, a verified address that becomes an admin’s in lower case is not that admin’s', async () => {
    for (const [letter, isAdmin] of [
      ['K', true],
      ['\u212A', false],
    ] as const) {
      const started = await begin()
      const own = { sub: `kate ${isAdmin}`, email: `${letter}ate@example.com`, groups: [] }
      const { location, session } = await signInWith(started, provider.sign(claims(started.nonce, own)))
      expect([location, session !== null]).toEqual([
        isAdmin ? '/sandbox' : '/api/auth/error?error=AccessDenied',
        isAdmin,
      ])
    }
  })

  test('16, an ID token in the address, in place of a code, is refused', async () => {
    const started = await begin()
    const idToken = await provider.sign(claims(started.nonce))
    const { state } = started
    expect(await comeBack(started, { id_token: idToken, state, iss: provider.issuer })).toEqual(refused)
  })

  const day = 86_400
  for (const [title, code, message, changes] of [
    ['12, an old authentication', 'SIGN_IN_TOO_OLD', /too long ago/, (now: number) => ({ auth_time: now - day })],
    [
      '13, an authentication without its time',
      'SIGN_IN_TIME_UNKNOWN',
      /didn’t say when/,
      () => ({ auth_time: undefined }),
    ],
    ['14, a weak authentication', 'SIGN_IN_TOO_WEAK', /not strong enough/, () => ({ acr: 'password' })],
  ] as const) {
    test(`${title} is refused, with a code on the sign-in page and in the audit log`, async ({ page }) => {
      const started = await begin()
      const now = Math.floor(Date.now() / 1000)
      const { location, session } = await signInWith(started, provider.sign(claims(started.nonce, changes(now))))
      expect([location, session]).toEqual([`/sign-in?error=${code}&fresh=on`, null])
      await page.goto(at(location))
      await expect(page.getByText(message)).toBeVisible()
      const admin = await begin()
      await signInWith(admin, provider.sign(claims(admin.nonce, { sub: 'grace', ...people.grace })))
      const response = await admin.jar.fetch(at('/api/sandbox/audit?act=sign-in&outcome=refused'))
      const { entries } = (await response.json()) as { entries: { code: string | null; by: unknown }[] }
      expect(entries.filter((entry) => entry.code === code)).toEqual([expect.objectContaining({ by: null })])
    })
  }
})
