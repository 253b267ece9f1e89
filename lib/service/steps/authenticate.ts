import { fail, ok, type Result } from '#lib/shared/result.ts'
import { verifyRequest, type RequestToken } from '#lib/signing/request-token.ts'
import { findAccessKey } from '../access-keys.ts'
import { ServiceRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** What of a request is signed. `uri` is the request line's own target; `body` is undefined where it was too long to be read. */
export type SignedRequest = {
  authorization: string | null
  method: string
  uri: string
  body: Uint8Array | null | undefined
}

/** Who calls: the id of the access key, and the request token, which is null for HTTP Basic. */
export type Authenticated = { accessKey: string; token: RequestToken | null }

const headerPattern = /^(Bearer|Basic) +([^\s]+) *$/i

/** The caller of a request: by a request token, or by HTTP Basic with an empty password where the settings accept it. */
export async function authenticate(
  service: Service,
  request: SignedRequest,
): Promise<Result<Authenticated, ServiceRefusal>> {
  const [, scheme = '', credentials = ''] = headerPattern.exec(request.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return verifyToken(service, request, credentials)
  if (scheme.toLowerCase() === 'basic' && service.settings.acceptsBasic) return verifyBasic(service, credentials)
  return refused(
    'INVALID_ACCESS_KEY',
    request.authorization === null
      ? 'Authentication failed: the Authorization header is missing'
      : 'Authentication failed: the Authorization header is not one that this service accepts',
  )
}

async function verifyToken(
  { db }: Service,
  { method, uri, body }: SignedRequest,
  token: string,
): Promise<Result<Authenticated, ServiceRefusal>> {
  const verified = await verifyRequest({
    token,
    method,
    uri,
    body,
    now: Date.now() / 1000,
    findPublicKey: async (id) => (await findAccessKey(db, id))?.publicKey ?? null,
  })
  return verified.ok ? verified : refused(verified.error.code, verified.error.message)
}

/** The user of HTTP Basic credentials (RFC 7617) whose password is empty; null for others, and for what is not well formed. */
function userOfBasic(credentials: string): string | null {
  const bytes = Buffer.from(credentials, 'base64')
  const withoutPadding = (text: string) => text.replace(/=+$/, '')
  if (withoutPadding(bytes.toString('base64')) !== withoutPadding(credentials)) return null
  const text = bytes.toString()
  return text.indexOf(':') === text.length - 1 && text.length > 1 ? text.slice(0, -1) : null
}

async function verifyBasic({ db }: Service, credentials: string): Promise<Result<Authenticated, ServiceRefusal>> {
  const user = userOfBasic(credentials)
  const accessKey = user === null ? null : await findAccessKey(db, user)
  return accessKey
    ? ok({ accessKey: accessKey.id, token: null })
    : refused('INVALID_ACCESS_KEY', 'Authentication failed: the access key is unknown, or the password is not empty')
}

function refused(code: ServiceRefusal['code'], message: string): Result<never, ServiceRefusal> {
  return fail(new ServiceRefusal(code, message, { 'WWW-Authenticate': 'Bearer realm="service"' }))
}
