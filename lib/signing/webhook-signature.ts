import type { KeyObject } from 'node:crypto'
import { signRsaSha256, verifyRsaSha256 } from './rsa-sha256.ts'

/** The base64 signature of a delivery: RSA-SHA256 (PKCS #1 v1.5) over its raw body. */
export async function signWebhook(body: Uint8Array | string, privateKey: KeyObject): Promise<string> {
  return (await signRsaSha256(body, privateKey)).toString('base64')
}

/**
 * Whether a delivery's signature, base64 or hex, is that of its raw body. Any other header value gives false,
 * and nothing throws.
 */
export function verifyWebhook(
  body: Uint8Array | string,
  signature: string | null | undefined,
  publicKey: KeyObject,
): boolean {
  const bytes = decodeSignature(signature ?? '', Math.ceil((publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8))
  return bytes !== null && verifyRsaSha256(body, bytes, publicKey)
}

/** An RSA signature has the length of the modulus and only one text that encodes it. */
function decodeSignature(text: string, lengthBytes: number): Buffer | null {
  const isHex = text.length === lengthBytes * 2 && /^[0-9a-f]+$/i.test(text)
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64')
  if (bytes.length === 0 || bytes.length !== lengthBytes) return null
  return isHex || bytes.toString('base64') === text ? bytes : null
}
