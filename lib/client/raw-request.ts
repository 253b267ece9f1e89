import 'server-only'
import { randomUUID, type KeyObject } from 'node:crypto'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'
import { signAuthorization } from '#lib/signing/authorization.ts'
import { generateKeyPair, readPrivateKey } from '#lib/signing/keys.ts'
import type { ClientErrorCode } from './service-error.ts'
import { openTransport } from './transport.ts'

/** How a request is signed: correctly, or wrongly in one way, to test the service's response. */
export const signings = [
  'valid',
  'expired',
  'other-uri',
  'other-method',
  'other-body',
  'unknown-key',
  'other-key-pair',
  'none',
] as const
export type Signing = (typeof signings)[number]

/** The ways of a connection without a private key: it has no token to make wrongly. */
export const unsignedWays: readonly Signing[] = ['valid', 'unknown-key', 'none']

/** One request as it is sent: nothing is repeated, parsed or renamed. `path` is below the base URL, with the query. */
type RawRequest = {
  method: 'GET' | 'POST'
  path: string
  bytes: Uint8Array | null
  idempotencyKey: string | null
  signing: Signing
}

type DecodedToken = { header: Record<string, unknown>; claims: Record<string, unknown> }

export type RawExchange = {
  /** The request line and headers as they were sent. */
  url: string
  requestHeaders: Record<string, string>
  /** The token's decoded header and claims; null where none was sent. */
  token: DecodedToken | null
  /** Null where no response came; `failure` says why. */
  status: number | null
  headers: Record<string, string>
  text: string | null
  failure: ClientErrorCode | null
  durationMs: number
}

const transportSettings = {
  connections: 1,
  connectTimeoutMs: 3000,
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 15_000,
  maximumResponseBytes: 2 * 1024 * 1024,
}
const timeoutMs = 20_000

/** Sends one request to a service and returns its response, whatever its status. */
export async function sendRaw(
  connection: { baseUrl: string } & Keys,
  request: RawRequest,
  names: { idempotencyKey: string } = { idempotencyKey: 'idempotency-key' },
): Promise<RawExchange> {
  const base = new URL(connection.baseUrl)
  const uri = `${withoutTrailingSlashes(base.pathname)}${request.path}`
  const { method, bytes, idempotencyKey } = request
  const authorization = await makeAuthorizationHeader({ ...request, uri }, connection)
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(authorization === null ? {} : { authorization }),
    ...(bytes ? { 'content-type': 'application/json' } : {}),
    ...(idempotencyKey === null ? {} : { [names.idempotencyKey]: idempotencyKey }),
  }
  const transport = openTransport(base.origin, transportSettings)
  const startMs = performance.now()
  try {
    const exchanged = await transport.exchange({ method, uri, headers, bytes, timeoutMs, signal: undefined })
    return {
      url: `${base.origin}${uri}`,
      requestHeaders: headers,
      token: decoded(authorization),
      status: exchanged.status,
      headers: Object.fromEntries(
        Object.entries(exchanged.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ),
      text: exchanged.text,
      failure: exchanged.failure?.code ?? null,
      durationMs: Math.round(performance.now() - startMs),
    }
  } finally {
    await transport.close()
  }
}

type Signable = RawRequest & { uri: string }
type Keys = { accessKey: string; privateKey: string | null }

const hourSeconds = 3600

/** The `Authorization` of a request, invalid in the way that its `signing` names; null for none. */
async function makeAuthorizationHeader(request: Signable, connection: Keys): Promise<string | null> {
  const { signing, method, uri, bytes } = request
  if (signing === 'none') return null
  const right = {
    accessKey: connection.accessKey,
    privateKey: connection.privateKey === null ? null : readPrivateKey(connection.privateKey),
    method,
    uri,
    body: bytes,
    now: Date.now() / 1000,
  }
  const changes: Record<Exclude<Signing, 'none'>, Partial<typeof right>> = {
    valid: {},
    expired: { now: right.now - hourSeconds },
    'other-uri': { uri: `${uri}${uri.includes('?') ? '&' : '?'}signed=elsewhere` },
    'other-method': { method: method === 'GET' ? 'POST' : 'GET' },
    'other-body': { body: Buffer.from('{"signed":"another body"}') },
    'unknown-key': { accessKey: randomUUID() },
    'other-key-pair': {},
  }
  const privateKey = signing === 'other-key-pair' ? await strangersKey() : right.privateKey
  return signAuthorization({ ...right, ...changes[signing], privateKey })
}

let strangers: Promise<KeyObject> | undefined

/** A key pair that no service knows. */
function strangersKey(): Promise<KeyObject> {
  return (strangers ??= generateKeyPair().then(({ privateKey }) => readPrivateKey(privateKey)))
}

function decoded(authorization: string | null): DecodedToken | null {
  if (!authorization?.startsWith('Bearer ')) return null
  const [header = '', claims = ''] = authorization.slice('Bearer '.length).split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), claims: read(claims) }
}
