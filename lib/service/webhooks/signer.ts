import type { KeyObject } from 'node:crypto'
import { signWebhook } from '#lib/signing/webhook-signature.ts'

/** The signature of a delivery's body, which `id` names. */
export type Signer = (id: string, body: string) => Promise<string>

const rememberedSignatures = 256

/** Signs with the service's key, and each body once, however many webhooks it goes to. */
export function createSigner(readKey: () => Promise<KeyObject>): Signer {
  const key = once(readKey)
  const known = new Map<string, Promise<string>>()
  return (id, body) => {
    const remembered = known.get(id)
    if (remembered) return remembered
    const signature = key().then((privateKey) => signWebhook(body, privateKey))
    known.set(id, signature)
    signature.catch(() => known.delete(id))
    const [oldest] = known.keys()
    if (known.size > rememberedSignatures && oldest !== undefined) known.delete(oldest)
    return signature
  }
}

/** A key is read once; where that failed, again at the next signature. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null
  return () => {
    if (value) return value
    const reading = read()
    value = reading
    reading.catch(() => (value = null))
    return reading
  }
}
