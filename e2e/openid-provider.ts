import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { importJWK, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose'
import { Provider } from 'oidc-provider'

/** A person of the provider, by the name that the sign-in form takes. */
export type Person = { email: string; email_verified?: boolean; name: string; groups: string[] }

/** What the provider's token endpoint answers with in place of its own response, once. */
type Forgery = (body: URLSearchParams) => object | Promise<object>

export type OpenIdProvider = {
  issuer: string
  /** Signs with the provider's own key. */
  sign: (payload: JWTPayload, typ?: string) => Promise<string>
  forgeNextToken: (forgery: Forgery) => void
  close: () => Promise<void>
}

export const clientId = 'carddesk'
export const clientSecret = 'a secret between the console and its provider'
/** The `acr` that the console asks for. */
export const strength = 'two-factors'

/** A certified OpenID provider on loopback, with one client: the console at `consoleUrl`, with a secret, or the public key of a pair. */
export async function startProvider(
  consoleUrl: string,
  people: Record<string, Person>,
  clientKey: JWK | null = null,
): Promise<OpenIdProvider> {
  let forgery: Forgery | null = null
  let respond: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...(privateKey.export({ format: 'jwk' }) as JWK), kid: 'provider', alg: 'RS256', use: 'sig' }
  const key = (await importJWK(jwk, 'RS256')) as CryptoKey

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        ...(clientKey
          ? { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [clientKey as never] } }
          : { client_secret: clientSecret }),
        redirect_uris: [`${consoleUrl}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${consoleUrl}/sign-in`],
        backchannel_logout_uri: `${consoleUrl}/api/session/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['a key of the provider’s cookies'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    acrValues: [strength],
    claims: { openid: ['sub', 'acr'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    // Its own fetch calls no loopback address, and the console is at one.
    fetch: (url, { dispatcher: _dispatcher, ...options }: RequestInit & { dispatcher?: unknown } = {}) =>
      fetch(url, options),
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // The console belongs to the provider: it does not ask for consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        logoutSource: (context, form) => {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Sign out</button>'
          context.body = pageOf('Sign out of the company?', form + button)
        },
      },
    },
  })
  const callback = provider.callback()

  respond = async (request, response) => {
    const { url = '', method } = request
    if (url === '/favicon.ico') return response.writeHead(204).end()
    if (url === '/token' && forgery) {
      const forged = await forgery(await bodyOf(request))
      forgery = null
      const status = 'error' in forged ? 400 : 200
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(forged))
    }
    if (!url.startsWith('/interaction/')) return callback(request, response)
    if (method === 'POST') {
      const accountId = (await bodyOf(request)).get('person') ?? ''
      const { params } = await provider.interactionDetails(request, response)
      const acr = typeof params.acr_values === 'string' ? params.acr_values : ''
      return provider.interactionFinished(request, response, { login: { accountId, acr } })
    }
    const fields = '<label>Person <input name="person" autofocus></label> <button>Continue</button>'
    const page = pageOf('Company sign-in', `<form method="post">${fields}</form>`)
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }

  return {
    issuer,
    sign: (payload, typ = 'JWT') =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'provider', typ }).sign(key),
    forgeNextToken: (next) => {
      forgery = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Opens a page of the console and signs in through the console's sign-in page and the provider's form. */
export async function signInByProvider(page: Page, url: string, person: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign in with your company account' }).click()
  await page.getByLabel('Person').fill(person)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** The settings of a console that lets the provider's people in. */
export function settingsFor(consoleUrl: string, { issuer }: OpenIdProvider): Record<string, string> {
  return {
    PORT: new URL(consoleUrl).port,
    NEXTAUTH_URL: consoleUrl,
    NEXTAUTH_SECRET: 'a secret of the tests that is long enough',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SCOPES: 'openid email profile groups',
    OIDC_ACR_VALUES: strength,
    OIDC_GROUP_ROLES: 'desk-ops=operations,desk-admins=admin',
    SANDBOX_RATE_LIMIT_PER_MINUTE: '0',
  }
}

function pageOf(title: string, content: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}</html>`
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** The cookies of one browser, for requests without one. */
export class CookieJar {
  readonly #values = new Map<string, string>()

  get(name: string): string | undefined {
    return this.#values.get(name)
  }

  set(name: string, value: string | null): void {
    if (value === null) this.#values.delete(name)
    else this.#values.set(name, value)
  }

  /** Requests without following redirects, and keeps what the response sets. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), cookie },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const end = pair.indexOf('=')
      const isOver = /max-age=0|expires=thu, 01 jan 1970/i.test(line) || pair.length === end + 1
      this.set(pair.slice(0, end), isOver ? null : pair.slice(end + 1))
    }
    return response
  }
}
