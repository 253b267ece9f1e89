import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const authTagLength = 16

/** Encrypts with AES-256-GCM: IV, tag, ciphertext. `boundTo` is authenticated with it, so that rows cannot be swapped. */
export function seal(key: Buffer, plain: Uint8Array, boundTo: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength })
  cipher.setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Throws where the bytes were altered, sealed with another key, or bound to something else. */
function unseal(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const tagEnd = ivBytes + authTagLength
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(ivBytes, tagEnd))
  return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()])
}

/** The key that seals, and the one before it while that is replaced: each opens. */
export type SealingKeys = { key: Buffer; previous: Buffer | null }

/** Opens with either key; `isCurrent` is false for the previous one. Throws as `unseal` does. */
export function unsealWithEither(
  { key, previous }: SealingKeys,
  sealed: Buffer,
  boundTo: string,
): { plain: Buffer; isCurrent: boolean } {
  try {
    return { plain: unseal(key, sealed, boundTo), isCurrent: true }
  } catch (error) {
    if (!previous) throw error
    return { plain: unseal(previous, sealed, boundTo), isCurrent: false }
  }
}
