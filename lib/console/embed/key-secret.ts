import { sha256Hex } from '#lib/signing/digest.ts'

/** The text of a help desk's key, which names its kind. */
export function toKeySecret(random: string): string {
  return `cde_${random}`
}

/** What is stored of a key: its digest, and its end, by which people tell it. */
export function toStoredSecret(secret: string): { hash: string; ending: string } {
  return { hash: sha256Hex(secret), ending: secret.slice(-4) }
}
