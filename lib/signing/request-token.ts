import { randomUUID, type KeyObject } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from 'jose'
import type { Result } from '#lib/shared/result.ts'
import { bodyHash, emptyBodySha256, sha256Hex } from './digest.ts'

/** The request that a token is bound to. `uri` is path and query exactly as on the request line; `now` is in seconds. */
export type SignedRequest = { method: string; uri: string; body: Uint8Array | null; now: number }

/** `body` is undefined where it has not been read: `verifyBody` of the result compares it afterwards. */
type ReceivedRequest = Omit<SignedRequest, 'body'> & { body: Uint8Array | null | undefined }

/**
 * `id` names the token, however it was sent; from `deadAt` on, in seconds, the verifier refuses it for its age. Without a
 * `jti` two requests of one second can have the same token.
 */
export type RequestToken = { id: string; deadAt: number; hasJti: boolean }

type VerifiedRequest = {
  accessKey: string
  token: RequestToken
  /** Why a body is not the one that was signed; null where it is. */
  verifyBody: (body: Uint8Array | null) => TokenError | null
}

type TokenError = { code: 'INVALID_SIGNATURE' | 'INVALID_ACCESS_KEY' | 'TOKEN_EXPIRED'; message: string }

const lifetimeSeconds = 25
/** "It expires within 30 seconds": the interface, Authentication 3. */
const maximumLifetimeSeconds = 30
const leewaySeconds = 5

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The RS256 request token of one request: valid for 25 s, bound to its method, uri and body. Its `jti` differs from
 * that of the same request sent again, which a service that remembers used tokens would refuse.
 */
export function signRequest(request: SignedRequest & { accessKey: string; privateKey: KeyObject }): Promise<string> {
  const iat = Math.floor(request.now)
  const claims = {
    sub: request.accessKey,
    uri: request.uri,
    method: request.method.toUpperCase(),
    body: bodyHash(request.body),
    iat,
    exp: iat + lifetimeSeconds,
    jti: randomUUID(),
  }
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(request.privateKey)
}

/**
 * The access key of a request, where its token is signed with that key's pair, has not expired, and was made for this
 * method, uri and body. Claims are checked after the signature, so that a forger gets no information about them;
 * `findPublicKey` is called only with a UUID in lower case. Any input of a caller returns an error with the code of its
 * 401; it never throws.
 */
export async function verifyRequest(
  request: ReceivedRequest & {
    token: string
    findPublicKey: (accessKey: string) => Promise<KeyObject | null | undefined> | KeyObject | null | undefined
  },
): Promise<Result<VerifiedRequest, TokenError>> {
  const parsed = parseToken(request.token)
  if (!parsed) return refused('INVALID_ACCESS_KEY', 'Authentication failed: the request token cannot be parsed')
  const { alg, crit, claims } = parsed
  if (alg !== 'RS256') return refused('INVALID_SIGNATURE', `${signatureFailed}: the algorithm must be RS256`)
  // RFC 7515, 4.1.11: extensions that are critical and not understood must be refused; none is understood here.
  if (crit !== undefined) return refused('INVALID_SIGNATURE', `${signatureFailed}: the header has critical extensions`)

  const accessKey = typeof claims.sub === 'string' && uuidPattern.test(claims.sub) ? claims.sub.toLowerCase() : null
  if (accessKey === null) return refused('INVALID_ACCESS_KEY', 'Authentication failed: the claim sub is no access key')
  const publicKey = await request.findPublicKey(accessKey)
  if (!publicKey) return refused('INVALID_ACCESS_KEY', 'Authentication failed: the access key is unknown')

  if (!(await isSignedWith(publicKey, request.token))) {
    return refused('INVALID_SIGNATURE', `${signatureFailed}: the signature is not of this access key’s key pair`)
  }
  const time = checkTime(claims, request.now)
  if (!time.ok) return refused('TOKEN_EXPIRED', `Authentication failed: ${time.error}`)
  const different = findDifference(claims, request)
  if (different) return { ok: false, error: different }
  const { jti } = claims
  const token = {
    id: tokenId(request.token),
    deadAt: time.value.deadAt,
    hasJti: typeof jti === 'string' && jti !== '',
  }
  return { ok: true, value: { accessKey, token, verifyBody: (body) => findDifference(claims, { ...request, body }) } }
}

function findDifference(claims: JWTPayload, request: ReceivedRequest): TokenError | null {
  const different = differences(claims, request)
  if (different.length === 0) return null
  return { code: 'INVALID_SIGNATURE', message: `${signatureFailed}: ${different.join('; ')}` }
}

const signatureFailed = 'JWT signature verification failed'

function refused(code: TokenError['code'], message: string): { ok: false; error: TokenError } {
  return { ok: false, error: { code, message } }
}

function parseToken(token: string): { alg: unknown; crit: unknown; claims: JWTPayload } | null {
  try {
    const { alg, crit } = decodeProtectedHeader(token)
    return { alg, crit, claims: decodeJwt(token) }
  } catch {
    return null
  }
}

async function isSignedWith(publicKey: KeyObject, token: string): Promise<boolean> {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  // Base64url without padding leaves spare bits in its last character: one signature has one text.
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return false
  return compactVerify(token, publicKey, { algorithms: ['RS256'] }).then(
    () => true,
    () => false,
  )
}

/** A valid signature has one text, and no other token has it. */
function tokenId(token: string): string {
  return sha256Hex(token.slice(token.lastIndexOf('.') + 1))
}

/** When the token dies, or why its claims of time do not hold. RFC 7519, 4.1.4: refused on or after `exp`, here with the leeway. */
function checkTime({ iat, exp }: JWTPayload, now: number): Result<{ deadAt: number }, string> {
  if (!Number.isFinite(iat) || !Number.isFinite(exp) || iat === undefined || exp === undefined) {
    return late('the token needs iat and exp, in seconds')
  }
  if (iat > now + leewaySeconds) {
    return late(`the token’s iat is ${round(iat - now)} s in the future of the service’s clock`)
  }
  if (exp - iat > maximumLifetimeSeconds) {
    return late(`the token lives ${round(exp - iat)} s, and at most ${maximumLifetimeSeconds} s are allowed`)
  }
  if (exp < iat) return late('the token’s exp is before its iat')
  const deadAt = exp + leewaySeconds
  if (now >= deadAt) return late(`the token expired ${round(now - exp)} s ago by the service’s clock`)
  return { ok: true, value: { deadAt } }
}

function late(error: string): { ok: false; error: string } {
  return { ok: false, error }
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

/** A sentence for each claim that differs from the request. */
function differences(claims: JWTPayload, { method, uri, body }: ReceivedRequest): string[] {
  const hash = body === undefined ? null : bodyHash(body)
  const expected = hash === null ? { uri, method } : { uri, method, body: hash }
  return Object.entries(expected)
    .filter(([name, value]) => claims[name] !== value && !(name === 'body' && mayLackBodyClaim(claims, hash)))
    .map(([name, value]) => `the claim ${name} is ${shown(claims[name])}, and the request’s is ${shown(value)}`)
}

function mayLackBodyClaim(claims: JWTPayload, hash: string | null): boolean {
  return hash === emptyBodySha256 && !Object.hasOwn(claims, 'body')
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value !== 'string') return 'no text'
  return value.length > 200 ? `"${value.slice(0, 200)}…"` : `"${value}"`
}
