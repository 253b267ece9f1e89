import { verifyRequest } from '#lib/signing/request-token.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { findAccessKey } from '../access-keys.ts'
import { ServiceRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** What of a request is signed. `uri` is the request line's own target. */
export type SignedRequest = { authorization: string | null; method: string; uri: string; body: Uint8Array | null }

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

async function verifyBasic({ db }: Service, credentials: string): Promise<Result<string, ServiceRefusal>> {
  const [user = '', ...password] = Buffer.from(credentials, 'base64').toString().split(':')
  const accessKey = password.join(':') === '' ? await findAccessKey(db, user) : null
  return accessKey
    ? ok(accessKey.id)
    : refused('INVALID_ACCESS_KEY', 'Authentication failed: the access key is unknown, or the password is not empty')
}

function refused(code: ServiceRefusal['code'], message: string): Result<string, ServiceRefusal> {
  return fail(new ServiceRefusal(code, message, { 'WWW-Authenticate': 'Bearer realm="service"' }))
}
