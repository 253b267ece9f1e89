import { sign, verify, type KeyObject } from 'node:crypto'

/** RSASSA-PKCS1-v1_5 with SHA-256 of raw bytes, as events are signed, computed on a thread of the pool. */
export function signRsaSha256(content: Uint8Array | string, privateKey: KeyObject): Promise<Buffer> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return new Promise((resolve, reject) => {
    sign('RSA-SHA256', bytes, privateKey, (error, signature) => {
      if (error) reject(error)
      else resolve(signature)
    })
  })
}

/**
 * Whether a signature is that of the content, at once: a forgotten `await` cannot turn a forgery into a truthy promise. A
 * signature of another length, or a key of another kind, is false.
 */
export function verifyRsaSha256(content: Uint8Array | string, signature: Uint8Array, publicKey: KeyObject): boolean {
  if (publicKey.asymmetricKeyType !== 'rsa') return false
  return verify('RSA-SHA256', typeof content === 'string' ? Buffer.from(content) : content, publicKey, signature)
}
