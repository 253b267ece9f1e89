import { readPrivateKey, strongBits } from '#lib/signing/keys.ts'

export type SigningKey = { bits: number; advice: string | null }

/**
 * The size of the RSA key (PEM) that signs requests, and what to do about one that is short; nothing for the built-in service, whose
 * key the first start made.
 */
export function toSigningKey(pem: string, isBuiltIn = false): SigningKey {
  const bits = readPrivateKey(pem).asymmetricKeyDetails?.modulusLength ?? 0
  if (bits >= strongBits || isBuiltIn) return { bits, advice: null }
  const advice = `An RSA key of ${bits} bits has less than 128 bits of security. Create one of ${strongBits} bits and register it with the service’s operator.`
  return { bits, advice }
}
