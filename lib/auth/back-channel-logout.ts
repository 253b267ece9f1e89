import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { recordRefusedAttempt } from '#lib/audit/refused-attempts.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { logFailure } from '#lib/shared/log.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { logoutTokens, sessions, staff } from '#lib/tables/staff.ts'
import { discoverProvider } from './provider.ts'
import { staffTarget } from './staff.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** PostgreSQL stores no text with U+0000. */
const Identifier = z
  .string()
  .min(1)
  .max(...atMost(300))
  .refine((text) => !text.includes('\0'))

const LogoutToken = z
  .looseObject({
    iat: z.number(),
    jti: Identifier,
    sub: Identifier.optional(),
    sid: Identifier.optional(),
    events: z.object({ [logoutEvent]: z.looseObject({}) }),
  })
  .refine((claims) => !('nonce' in claims), { path: ['nonce'], message: 'must not be there' })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, { path: ['sub'], message: 'or sid must be there' })

/** Only signatures with a key pair: a secret that the console shares could be used to forge them, and none is no signature. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** A logout token is sent at once; an old one is a replay. */
const longestAgeMs = 5 * minuteMs
const toleranceMs = minuteMs
const longestToken = 16_000

/**
 * The provider signs somebody out (OpenID Connect Back-Channel Logout 1.0): a signed logout token of our issuer, for us,
 * fresh and used once, ends the sessions of its `sid`, or all of its `sub`. Returns 200, 400 for any other token, or 503
 * where the provider's keys cannot be had. There is no session here: the signature authenticates the sender.
 */
export async function backChannelLogout(request: Request): Promise<Response> {
  if (!consoleSettings().oidc) return respond(404, 'There is no OpenID provider.')
  const token = await readToken(request)
  if (token === null) return respond(400, 'The body must be a form with logout_token.')
  const provider = await discoverProvider().catch((error: unknown) => ({ error }))
  if ('error' in provider) return respondWithoutKeys(provider.error)
  const { issuer, clientId, keys } = provider
  const verified = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    typ: 'logout+jwt',
    algorithms,
    requiredClaims: ['iat', 'jti', 'events'],
    maxTokenAge: longestAgeMs / 1000,
    clockTolerance: toleranceMs / 1000,
  }).catch((error: unknown) => ({ error }))
  if ('error' in verified && !isOfToken(verified.error)) return respondWithoutKeys(verified.error)
  const parsed = LogoutToken.safeParse('error' in verified ? null : verified.payload)
  if (!parsed.success) return refuse('The logout token is not valid.')
  return withSanitizedErrors(async () => {
    const isNew = await endNamedSessions(issuer, parsed.data)
    return isNew ? respond(200, null) : refuse('The logout token was used before.')
  })
}

/** Errors of jose where the provider's keys did not come; any other of its errors is about the token. */
const keyErrors = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])

function isOfToken(error: unknown): boolean {
  return error instanceof errors.JOSEError && !keyErrors.has(error.code)
}

function respondWithoutKeys(error: unknown): Response {
  logFailure(error, { while: 'reading the keys of the OpenID provider' })
  return respond(503, 'The provider’s keys can’t be read. Send it again.')
}

/** False where the token was used before. */
async function endNamedSessions(
  issuer: string,
  { jti, sub, sid, iat }: z.output<typeof LogoutToken>,
): Promise<boolean> {
  const now = new Date()
  return inTransaction(database(), async (tx) => {
    const expiresAt = new Date(iat * 1000 + longestAgeMs + 2 * toleranceMs)
    const taken = await tx
      .insert(logoutTokens)
      .values({ id: `${issuer}|${jti}`, expiresAt })
      .onConflictDoNothing()
      .returning({ id: logoutTokens.id })
    if (taken.length === 0) return false
    const ended = await tx
      .select({ id: sessions.id, member: staff })
      .from(sessions)
      .innerJoin(staff, eq(staff.id, sessions.staffId))
      .where(
        and(
          eq(staff.origin, 'oidc'),
          isNull(sessions.revokedAt),
          sid === undefined ? undefined : eq(sessions.oidcSessionId, sid),
          sub === undefined ? undefined : eq(staff.oidcSubject, `${issuer}|${sub}`),
        ),
      )
    for (const { id } of ended) {
      await tx.update(sessions).set({ revokedAt: now, sealedIdToken: null }).where(eq(sessions.id, id))
    }
    for (const member of new Map(ended.map(({ member }) => [member.id, member])).values()) {
      const target = staffTarget(member)
      const comment = 'by the OpenID provider'
      await appendAudit(tx, { by: null, environment: null, act: 'sign-out', target, outcome: 'done', comment })
    }
    return true
  })
}

async function readToken(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? '0') > longestToken) return null
  if (!request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')) return null
  const text = await request.text().catch(() => '')
  if (text.length > longestToken) return null
  return new URLSearchParams(text).get('logout_token')
}

async function refuse(message: string): Promise<Response> {
  const refused = { by: null, environment: null, act: 'back-channel-logout', target: null, code: null }
  await recordRefusedAttempt(database(), refused)
  return respond(400, message)
}

function respond(status: number, message: string | null): Response {
  const body = message === null ? null : JSON.stringify({ error: 'invalid_request', error_description: message })
  return new Response(body, {
    status,
    headers: { 'cache-control': 'no-store', ...(body === null ? {} : { 'content-type': 'application/json' }) },
  })
}
