import { fail, ok, type Result } from '#lib/shared/result.ts'
import { verifyRequest } from '#lib/signing/request-token.ts'
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

const headerPattern = /^(Bearer|Basic) +([^\s]+) *$/i

/** The Access Key of the caller: by a request token, or in the sandbox by HTTP Basic with an empty password. */
export async function authenticate(service: Service, request: SignedRequest): Promise<Result<string, ServiceRefusal>> {
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
): Promise<Result<string, ServiceRefusal>> {
  const verified = await verifyRequest({
    token,
    method,
    uri,
    body,
    now: Date.now() / 1000,
    findPublicKey: async (id) => (await findAccessKey(db, id))?.publicKey ?? null,
  })
  return verified.ok ? ok(verified.value.accessKey) : refused(verified.error.code, verified.error.message)
}

/** The user of HTTP Basic credentials (RFC 7617) whose password is empty; null for others, and for what is not well formed. */
export function userOfBasic(credentials: string): string | null {
  const bytes = Buffer.from(credentials, 'base64')
  const withoutPadding = (text: string) => text.replace(/=+$/, '')
  if (withoutPadding(bytes.toString('base64')) !== withoutPadding(credentials)) return null
  const text = bytes.toString()
  return text.indexOf(':') === text.length - 1 && text.length > 1 ? text.slice(0, -1) : null
}

async function verifyBasic({ db }: Service, credentials: string): Promise<Result<string, ServiceRefusal>> {
  const user = userOfBasic(credentials)
  const accessKey = user === null ? null : await findAccessKey(db, user)
  return accessKey
    ? ok(accessKey.id)
    : refused('INVALID_ACCESS_KEY', 'Authentication failed: the access key is unknown, or the password is not empty')
}

function refused(code: ServiceRefusal['code'], message: string): Result<string, ServiceRefusal> {
  return fail(new ServiceRefusal(code, message, { 'WWW-Authenticate': 'Bearer realm="service"' }))
}
