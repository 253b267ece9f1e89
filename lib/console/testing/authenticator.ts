import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What the authenticator does otherwise than a right one. */
type Ways = { origin?: string; rpId?: string; isUserVerified?: boolean; challenge?: string; id?: string }

const ellipticKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A passkey in software: makes the responses that a browser sends. */
export function createAuthenticator(origin: string, { publicKey, privateKey } = ellipticKeys()) {
  const id = randomBytes(16)
  let counter = 0

  function authData({ rpId = new URL(origin).hostname, isUserVerified = true }: Ways, attested?: Buffer): Buffer {
    counter += 1
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (attested ? 0x40 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)])
  }

  function clientData(type: string, challenge: string, ways: Ways): Buffer {
    const sent = { type, challenge: ways.challenge ?? challenge, origin: ways.origin ?? origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(sent))
  }

  return {
    id: id.toString('base64url'),
    create(options: PublicKeyCredentialCreationOptionsJSON, ways: Ways = {}): RegistrationResponseJSON {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(ways, attested)],
      ])
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, ways).toString('base64url'),
          attestationObject: toCbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get(options: PublicKeyCredentialRequestOptionsJSON, ways: Ways = {}): AuthenticationResponseJSON {
      const data = authData(ways)
      const client = clientData('webauthn.get', options.challenge, ways)
      const signed = Buffer.concat([data, sha256(client)])
      const own = ways.id ?? id.toString('base64url')
      return {
        id: own,
        rawId: own,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        },
      }
    },
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** An ES256 or RS256 key as passkeys write it (RFC 9053, RFC 8230): its own parameters are numbered from -1 down. */
function coseKey(key: KeyObject): Buffer {
  const { x, y, n, e } = key.export({ format: 'jwk' })
  const bytes = (part = '') => Buffer.from(part, 'base64url')
  const [type, algorithm, ...parameters] =
    n === undefined ? [2, -7, 1, bytes(x), bytes(y)] : [3, -257, bytes(n), bytes(e)]
  return toCbor(new Map([[1, type], [3, algorithm], ...parameters.map((part, at) => [-1 - at, part] as const)]))
}

function toCbor(fields: ReadonlyMap<string | number, unknown>): Buffer {
  return Buffer.from(isoCBOR.encode(fields as Parameters<typeof isoCBOR.encode>[0]))
}
