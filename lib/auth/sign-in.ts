import 'server-only'
import { createPrivateKey } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { NextAuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { cookies } from 'next/headers'
import { recordRefusedAttempt } from '#lib/audit/refused-attempts.ts'
import { readRequestOrigin } from '#lib/audit/request-origin.ts'
import type { RequestOrigin } from '#lib/audit/types.ts'
import { database, type Database } from '#lib/db/connection.ts'
import { consoleSettings, type ConsoleSettings, type OidcSettings } from '#lib/settings/console-settings.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { asFields } from '#lib/shared/json.ts'
import { logRefused, logSignIn } from '#lib/shared/log.ts'
import { returnPath, routes } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { signInAttempts } from '#lib/tables/staff.ts'
import { admit, parseAuthentication, authenticationProblem, parseClaims } from './admission.ts'
import type { OpenedFrom } from './device.ts'
import { providerAgent } from './provider-agent.ts'
import { discoveryUrl } from './provider.ts'
import { openSession, sessionLifetimeMs, type OidcSession } from './session.ts'
import { auditSession, endSession } from './sign-out.ts'
import { listDemoStaff } from './staff.ts'
import { isSecure, readSessionId, sessionCookieName, sessionCookieOptions } from './token.ts'
import type { Staff } from './types.ts'

/** The choices of the sign-in page. */
export type SignInChoices = { mode: 'demo'; staff: Staff[] } | { mode: 'oidc'; issuer: string }

export function signInChoices(): Promise<SignInChoices> {
  return withSanitizedErrors(async () => {
    const { oidc } = consoleSettings()
    if (oidc) return { mode: 'oidc', issuer: new URL(oidc.issuer).host }
    return { mode: 'demo', staff: await listDemoStaff(database()) }
  })
}

/** next-auth's options for this process. The cookie holds the id of a session row and nothing else. */
export function signInOptions(from: OpenedFrom = { ipAddress: null, userAgent: null }): NextAuthOptions {
  const settings = consoleSettings()
  return {
    secret: settings.sessionSecret,
    useSecureCookies: isSecure(settings),
    logger: { error: (code) => logSignIn(code), warn: () => undefined, debug: () => undefined },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in' },
    session: { strategy: 'jwt', maxAge: sessionLifetimeMs / secondMs },
    cookies: {
      ...(isSecure(settings) && hostBoundCookies),
      sessionToken: { name: sessionCookieName(settings), options: sessionCookieOptions(settings) },
    },
    providers: settings.oidc ? [oidcProvider(settings.oidc)] : [demoProvider()],
    callbacks: {
      redirect: ({ url, baseUrl }) => {
        const path = URL.canParse(url) && new URL(url).origin === baseUrl ? url.slice(baseUrl.length) : url
        return `${baseUrl}${returnPath(path)}`
      },
      // next-auth puts the message of an error into the address.
      signIn: ({ user, account, profile }) =>
        withSanitizedErrors(async () =>
          account?.provider === 'oidc' && settings.oidc
            ? admitFromProvider(settings.oidc, settings.admission, user, profile)
            : account?.provider === 'demo',
        ),
      jwt: async ({ token, user, account, profile }): Promise<{ sessionId?: string }> =>
        user
          ? { sessionId: await openInsteadOfCurrent(user.id, from, toOidcSession(account, profile)) }
          : { sessionId: String(token.sessionId) },
      session: ({ session }) => ({ expires: session.expires }),
    },
  }
}

const hostBound = { httpOnly: true, sameSite: 'lax', path: '/', secure: true } as const
const untilReturn = { ...hostBound, maxAge: (15 * minuteMs) / secondMs }

/** next-auth's own cookies of one sign-in, bound to this very host; by default it binds one of them. */
const hostBoundCookies = {
  csrfToken: { name: '__Host-next-auth.csrf-token', options: hostBound },
  callbackUrl: { name: '__Host-next-auth.callback-url', options: hostBound },
  pkceCodeVerifier: { name: '__Host-next-auth.pkce.code_verifier', options: untilReturn },
  state: { name: '__Host-next-auth.state', options: untilReturn },
  nonce: { name: '__Host-next-auth.nonce', options: untilReturn },
}

/** Opens a session for a person who has just signed in, with its audit entry. This browser's previous session ends. */
async function openInsteadOfCurrent(staffId: string, from: OpenedFrom, oidc: OidcSession): Promise<string> {
  const settings = consoleSettings()
  const before = await readSessionId((await cookies()).get(sessionCookieName(settings))?.value, settings)
  if (before) await endSession(before)
  const sessionId = await openSession(database(), staffId, from, oidc)
  // Where it fails, next-auth sets no cookie.
  await auditSession('sign-in', staffId)
  return sessionId
}

/** The provider's own session, which its sign-out names, and the ID token that it expects at ours. */
function toOidcSession(account: { id_token?: string | undefined } | null, profile: unknown): OidcSession {
  const { sid } = asFields(profile)
  const oidcSessionId = typeof sid === 'string' && sid.length <= 300 ? sid : null
  const idToken = consoleSettings().oidc?.signOut === 'post' ? (account?.id_token ?? null) : null
  return { oidcSessionId, idToken, authenticatedAt: parseAuthentication(profile).at }
}

function demoProvider() {
  return Credentials({
    id: 'demo',
    name: 'Demo',
    credentials: { staffId: {} },
    authorize: async (credentials, request) => {
      const caller = callerFrom(request.headers ?? {})
      // Without an address all share one count.
      const address = caller.ipAddress ?? 'unknown'
      const db = database()
      if (!(await countAttempt(db, address))) {
        await auditRefused(db, 'TOO_MANY_ATTEMPTS', caller)
        return null
      }
      const staffId = credentials?.staffId ?? ''
      const member = isUuid(staffId) ? (await listDemoStaff(db)).find(({ id }) => id === staffId) : undefined
      if (member) return { id: member.id, name: member.name, email: member.email }
      await countFailure(db, address)
      await auditRefused(db, null, caller)
      return null
    },
  })
}

function oidcProvider(oidc: OidcSettings): NextAuthOptions['providers'][number] {
  return {
    id: 'oidc',
    name: 'OpenID Connect',
    type: 'oauth',
    wellKnown: discoveryUrl(oidc),
    issuer: oidc.issuer,
    clientId: oidc.clientId,
    ...toClientCredential(oidc),
    httpOptions: { agent: providerAgent(oidc.issuer) },
    authorization: {
      params: {
        scope: oidc.scopes,
        ...(oidc.maxAgeMs !== null && { max_age: oidc.maxAgeMs / secondMs }),
        ...(oidc.acrValues.length > 0 && { acr_values: oidc.acrValues.join(' ') }),
      },
    },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    // A placeholder: admission reads the claims as they came, because next-auth changes e-mail addresses.
    profile: () => ({ id: 'nobody' }),
  }
}

/** A secret, or a key that signs a fresh assertion for each request (`private_key_jwt`). */
function toClientCredential({ credential }: OidcSettings) {
  if ('secret' in credential) return { clientSecret: credential.secret }
  const jwk = createPrivateKey(credential.key).export({ format: 'jwk' })
  const kid = credential.keyId === null ? {} : { kid: credential.keyId }
  return {
    client: { token_endpoint_auth_method: 'private_key_jwt' as const },
    jwks: { keys: [{ ...jwk, ...kid, use: 'sig' }] },
  }
}

/**
 * Admits a person of the provider and puts their staff id into `user`. Otherwise the attempt is audited: false for a person
 * who is not admitted, the sign-in page with a code for an authentication that is too old or too weak.
 */
async function admitFromProvider(
  oidc: OidcSettings,
  admission: ConsoleSettings['admission'],
  user: { id: string },
  profile: unknown,
): Promise<boolean | string> {
  const db = database()
  const claims = parseClaims(oidc.issuer, profile)
  // next-auth compares `iss` with the discovery document, which it reads once more after `discoverProvider`.
  if (claims === null || asFields(profile).iss !== oidc.issuer) return routes.signIn({ error: 'OAuthCallback' })
  const target = { type: 'identity', id: claims.oidcSubject.slice(0, 300), parentId: null, label: claims.email }
  const refuse = (code: string) =>
    recordRefusedAttempt(db, { by: null, environment: null, act: 'sign-in', target, code })
  const problem = authenticationProblem(parseAuthentication(profile), oidc)
  if (problem) {
    logRefused('a sign-in by the OpenID provider', problem)
    await refuse(problem.code)
    // The next attempt has the provider authenticate the person again.
    return routes.signIn({ error: problem.code, fresh: 'on' })
  }
  const admitted = await admit(db, admission, claims)
  if ('staffId' in admitted) {
    user.id = admitted.staffId
    return true
  }
  await refuse(admitted.code)
  return false
}

/** Sign-in attempts, and failures among them, allowed per IP address in so many minutes. */
const limits = { attempts: 300, failures: 10, minutes: 5 }

async function countAttempt(db: Database, address: string): Promise<boolean> {
  const minute = Math.floor(Date.now() / minuteMs)
  await db
    .insert(signInAttempts)
    .values({ address, minute, attempts: 1, failures: 0 })
    .onConflictDoUpdate({
      target: [signInAttempts.address, signInAttempts.minute],
      set: { attempts: sql`${signInAttempts.attempts} + 1` },
    })
  const { rows } = await db.execute<{ attempts: number; failures: number }>(sql`
    select sum(attempts)::int as attempts, sum(failures)::int as failures
    from ${signInAttempts} where address = ${address} and minute > ${minute - limits.minutes}`)
  const counted = rows[0]
  return (counted?.attempts ?? 0) <= limits.attempts && (counted?.failures ?? 0) < limits.failures
}

async function countFailure(db: Database, address: string): Promise<void> {
  const minute = Math.floor(Date.now() / minuteMs)
  await db
    .update(signInAttempts)
    .set({ failures: sql`${signInAttempts.failures} + 1` })
    .where(and(eq(signInAttempts.address, address), eq(signInAttempts.minute, minute)))
}

/** The person is not known yet: attempts of one IP address are identical. */
async function auditRefused(db: Database, code: string | null, caller: RequestOrigin): Promise<void> {
  await recordRefusedAttempt(db, { by: null, environment: null, act: 'sign-in', target: null, code, caller })
}

/** A way back from the provider that opened no session: another state, nonce, issuer, audience or signature, or an old one. */
export async function auditUnfinishedSignIn(headers: Headers): Promise<void> {
  await withSanitizedErrors(() => auditRefused(database(), null, readRequestOrigin(headers)))
}

function callerFrom(headers: Record<string, unknown>): RequestOrigin {
  const known = new Headers(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  return readRequestOrigin(known)
}
