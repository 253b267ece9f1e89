import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

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
      const data = authData(ways, attested)
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        byteString(data),
      ])
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, ways).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
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

/** CBOR of an ES256 or RS256 key. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '', n, e = '' } = key.export({ format: 'jwk' })
  if (n !== undefined)
    return Buffer.concat([
      Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20]),
      byteString(Buffer.from(n, 'base64url')),
      Buffer.from([0x21]),
      byteString(Buffer.from(e, 'base64url')),
    ])
  const [first, second] = [x, y].map((part) => byteString(Buffer.from(part, 'base64url')))
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    first ?? Buffer.alloc(0),
    Buffer.from([0x22]),
    second ?? Buffer.alloc(0),
  ])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

function byteString(value: Buffer): Buffer {
  const { length } = value
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), value])
}
