import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export const sealingAlgorithms = ['aes-256-gcm', 'chacha20-poly1305'] as const
type Algorithm = (typeof sealingAlgorithms)[number]

/**
 * The first bytes of what each algorithm seals. AES-256-GCM was the first and only one, so what has no other mark is its: the version
 * before reads it. Any other one names itself, and has a key of its own that is derived from the key of the settings.
 */
const marks: Record<Algorithm, Buffer> = {
  'aes-256-gcm': Buffer.alloc(0),
  'chacha20-poly1305': Buffer.from('chacha20-poly1305:'),
}
const ivBytes = 12
const authTagLength = 16

/** `SEALING_ALGORITHM`, which the start has checked. */
function presentAlgorithm(): Algorithm {
  const setting = process.env.SEALING_ALGORITHM?.trim()
  return sealingAlgorithms.find((algorithm) => algorithm === setting) ?? 'aes-256-gcm'
}

/** Whether stored bytes may have been sealed with another key or algorithm than the present ones. */
export function mayNeedResealing(previousKey: Buffer | null): boolean {
  return previousKey !== null || Boolean(process.env.SEALING_ALGORITHM?.trim())
}

/** Encrypts: the algorithm's mark, IV, tag, ciphertext. `boundTo` is authenticated with it, so that rows cannot be swapped. */
export function seal(key: Buffer, plain: Uint8Array, boundTo: string): Buffer {
  const algorithm = presentAlgorithm()
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm as 'aes-256-gcm', keyFor(algorithm, key), iv, { authTagLength })
  cipher.setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([marks[algorithm], iv, cipher.getAuthTag(), sealed])
}

/** Throws where the bytes were altered, sealed with another key, or bound to something else. */
function unseal(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const algorithm = algorithmOf(sealed)
  const [iv, rest] = split(sealed.subarray(marks[algorithm].length), ivBytes)
  const [tag, encrypted] = split(rest, authTagLength)
  const decipher = createDecipheriv(algorithm as 'aes-256-gcm', keyFor(algorithm, key), iv, { authTagLength })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(tag)
  return Buffer.concat([decipher.update(encrypted), decipher.final()])
}

function algorithmOf(sealed: Buffer): Algorithm {
  const hasMark = (algorithm: Algorithm) => sealed.subarray(0, marks[algorithm].length).equals(marks[algorithm])
  return sealingAlgorithms.find((algorithm) => marks[algorithm].length > 0 && hasMark(algorithm)) ?? 'aes-256-gcm'
}

/** No key serves two algorithms. */
function keyFor(algorithm: Algorithm, key: Buffer): Buffer {
  return algorithm === 'aes-256-gcm' ? key : Buffer.from(hkdfSync('sha256', key, '', `carddesk ${algorithm}`, 32))
}

function split(bytes: Buffer, at: number): [Buffer, Buffer] {
  return [bytes.subarray(0, at), bytes.subarray(at)]
}

/** The key that seals, and the one before it while that is replaced: each opens. */
export type SealingKeys = { key: Buffer; previous: Buffer | null }

/** Opens with either key; `isCurrent` is false for the previous one, and for another algorithm. Throws as `unseal` does. */
export function unsealWithEither(
  { key, previous }: SealingKeys,
  sealed: Buffer,
  boundTo: string,
): { plain: Buffer; isCurrent: boolean } {
  try {
    return { plain: unseal(key, sealed, boundTo), isCurrent: algorithmOf(sealed) === presentAlgorithm() }
  } catch (error) {
    if (!previous) throw error
    return { plain: unseal(previous, sealed, boundTo), isCurrent: false }
  }
}
