import { fail, ok, type Result } from '#lib/shared/result.ts'
import { verifyRequest, type RequestToken } from '#lib/signing/request-token.ts'
import { findAccessKey } from '../access-keys.ts'
import { ApiError } from '../api-error.ts'
import type { Service } from '../service.ts'

/** The signed parts of a request, beside its body. `uri` is the request line's target. */
type SignedRequest = { authorization: string | null; method: string; uri: string }

type Caller = {
  accessKey: string
  /** Null for HTTP Basic. */
  token: RequestToken | null
  /** Why the body is not the one that the caller signed; null where it is. */
  refusedBody: (body: Uint8Array | null) => ApiError | null
}

const headerPattern = /^(Bearer|Basic) +([^\s]+) *$/i

/**
 * The caller, before the body is read, so that only an authenticated body ever fills the memory: by a request token, or in the
 * sandbox by HTTP Basic with an empty password.
 */
export async function authenticate(service: Service, request: SignedRequest): Promise<Result<Caller, ApiError>> {
  const [, scheme = '', credentials = ''] = headerPattern.exec(request.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return verifyToken(service, request, credentials)
  if (scheme.toLowerCase() === 'basic' && service.settings.acceptsBasic) return verifyBasic(service, credentials)
  return fail(
    refused(
      'INVALID_ACCESS_KEY',
      request.authorization === null
        ? 'Authentication failed: the Authorization header is missing'
        : 'Authentication failed: the Authorization header is not one that this service accepts',
    ),
  )
}

async function verifyToken(
  { db }: Service,
  { method, uri }: SignedRequest,
  token: string,
): Promise<Result<Caller, ApiError>> {
  const verified = await verifyRequest({
    token,
    method,
    uri,
    body: undefined,
    now: Date.now() / 1000,
    findPublicKey: async (id) => (await findAccessKey(db, id))?.publicKey ?? null,
  })
  if (!verified.ok) {
    const { code, message } = verified.error
    return fail(refused(code, code === 'TOKEN_EXPIRED' ? `${message}. ${onRealTime}` : message))
  }
  const { accessKey, token: requestToken, verifyBody } = verified.value
  return ok({
    accessKey,
    token: requestToken,
    refusedBody: (body) => {
      const different = verifyBody(body)
      return different && refused(different.code, different.message)
    },
  })
}

const onRealTime = 'Tokens are judged by real time: a sandbox clock that was moved or frozen doesn’t count for them'

/** The user of HTTP Basic credentials (RFC 7617) whose password is empty; null for others, and for what is not well formed. */
function userOfBasic(credentials: string): string | null {
  const bytes = Buffer.from(credentials, 'base64')
  const withoutPadding = (text: string) => text.replace(/=+$/, '')
  if (withoutPadding(bytes.toString('base64')) !== withoutPadding(credentials)) return null
  const text = bytes.toString()
  return text.indexOf(':') === text.length - 1 && text.length > 1 ? text.slice(0, -1) : null
}

async function verifyBasic({ db }: Service, credentials: string): Promise<Result<Caller, ApiError>> {
  const user = userOfBasic(credentials)
  const accessKey = user === null ? null : await findAccessKey(db, user)
  return accessKey
    ? ok({ accessKey: accessKey.id, token: null, refusedBody: () => null })
    : fail(
        refused('INVALID_ACCESS_KEY', 'Authentication failed: the access key is unknown, or the password is not empty'),
      )
}

function refused(code: ApiError['code'], message: string): ApiError {
  return new ApiError(code, message, { 'WWW-Authenticate': 'Bearer realm="service"' })
}
