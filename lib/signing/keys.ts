import { createPrivateKey, createPublicKey, generateKeyPair as generate, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** RFC 7518, 3.3: a key of 2048 bits or more must be used with RS256. */
const minimumBits = 2048

/** The RSA private key of a PEM. Throws `TypeError` where it is none, is encrypted, or has less than 2048 bits. */
export function readPrivateKey(pem: string): KeyObject {
  return checked('private', () => createPrivateKey(pem))
}

/** The private key of a PEM that signs in at an OpenID provider: RSA as above, or EC P-256. Throws `TypeError` for another key. */
export function readClientKey(pem: string): KeyObject {
  const key = readOrThrow('private', () => createPrivateKey(pem))
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : readPrivateKey(pem)
}

/** The RSA public key of a PEM. Throws `TypeError` where it is none, holds a private key, or has less than 2048 bits. */
export function readPublicKey(pem: string): KeyObject {
  // createPublicKey would derive one from a private key, which has no business being sent around.
  if (pem.includes('PRIVATE KEY')) throw new TypeError('This is a private key, and a public key was expected')
  return checked('public', () => createPublicKey(pem))
}

/** The Ed25519 private key of a PEM. Throws `TypeError` for another key. */
export function readSigningKey(pem: string): KeyObject {
  return requireEd25519(createPrivateKey(pem))
}

/** The public half of an Ed25519 private key, or the public key. Throws where the text is neither. */
export function readCheckingKey(pem: string): KeyObject {
  return requireEd25519(createPublicKey(pem))
}

function requireEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the key is not an Ed25519 key')
  return key
}

/** RSA of fewer bits has less than 128 bits of security (NIST SP 800-57 part 1, table 2). New keys have these. */
export const strongBits = 3072

/** A new RSA key pair of 3072 bits as PEM: PKCS #8 and SPKI. */
export async function generateKeyPair(): Promise<{ privateKey: string; publicKey: string }> {
  return promisify(generate)('rsa', {
    modulusLength: strongBits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

function checked(kind: 'private' | 'public', read: () => KeyObject): KeyObject {
  const key = readOrThrow(kind, read)
  if (key.asymmetricKeyType !== 'rsa') {
    throw new TypeError(`The ${kind} key is of type ${key.asymmetricKeyType}, and RS256 needs RSA`)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < minimumBits) {
    throw new TypeError(`The ${kind} key has ${bits} bits, and RS256 needs ${minimumBits} or more`)
  }
  return key
}

function readOrThrow(kind: 'private' | 'public', read: () => KeyObject): KeyObject {
  try {
    return read()
  } catch (cause) {
    throw new TypeError(`The ${kind} key is not a PEM that can be read without a passphrase`, { cause })
  }
}
