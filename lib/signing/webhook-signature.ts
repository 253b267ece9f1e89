import { sign, verify, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** Signs on a thread of the pool. */
const signInPool = promisify(sign)

/** The base64 signature of a delivery: RSA-SHA256 (PKCS #1 v1.5) over its raw body. */
export async function signWebhook(body: Uint8Array | string, privateKey: KeyObject): Promise<string> {
  return (await signInPool('RSA-SHA256', Buffer.from(body), privateKey)).toString('base64')
}

/**
 * Whether a delivery's signature, base64 or hex, is that of its raw body. Any other header value, or a key of another kind
 * than RSA, gives false, and nothing throws. At once: a forgotten `await` cannot turn a forgery into a truthy promise.
 */
export function verifyWebhook(
  body: Uint8Array | string,
  signature: string | null | undefined,
  publicKey: KeyObject,
): boolean {
  if (publicKey.asymmetricKeyType !== 'rsa') return false
  const bytes = decodeSignature(signature ?? '', Math.ceil((publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8))
  return bytes !== null && verify('RSA-SHA256', Buffer.from(body), publicKey, bytes)
}

/** An RSA signature has the length of the modulus and only one text that encodes it. */
function decodeSignature(text: string, lengthBytes: number): Buffer | null {
  const isHex = text.length === lengthBytes * 2 && /^[0-9a-f]+$/i.test(text)
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64')
  if (bytes.length === 0 || bytes.length !== lengthBytes) return null
  return isHex || bytes.toString('base64') === text ? bytes : null
}
