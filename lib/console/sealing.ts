import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Encrypts with AES-256-GCM: IV, tag, ciphertext. `boundTo` is authenticated with it, so that rows cannot be swapped. */
export function seal(key: Buffer, plain: Uint8Array, boundTo: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Throws where the bytes were altered, sealed with another key, or bound to something else. */
export function unseal(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
}

/** HMAC-SHA-256 under a key of its own, for comparing what must not be guessed from its digest. */
export function keyedDigest(key: Buffer, parts: readonly (string | Uint8Array | null)[]): string {
  const hmac = createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'carddesk keyed digest', 32)))
  for (const part of parts) {
    const bytes = part === null ? Buffer.alloc(0) : Buffer.from(part)
    hmac.update(`${part === null ? 'null' : bytes.length}:`).update(bytes)
  }
  return hmac.digest('hex')
}
