import { type KeyObject, createPrivateKey, createPublicKey } from 'node:crypto'
import { generateKeyPair } from '#lib/signing/keys.ts'
import { signWebhook } from '#lib/signing/webhook-signature.ts'
import { replaceServiceKey, serviceKey, type KeyStore } from '../service-keys.ts'

/** The signature of a delivery's body. */
export type Signer = (body: string) => Promise<string>

const rememberedSignatures = 256

/** Signs with the service's key, and each body once, however many webhooks it goes to. */
export function createSigner(readKey: () => Promise<KeyObject>): Signer {
  const key = once(readKey)
  const cached = new Map<string, Promise<string>>()
  return (body) => {
    const remembered = cached.get(body)
    if (remembered) return remembered
    const signature = key().then((privateKey) => signWebhook(body, privateKey))
    cached.set(body, signature)
    signature.catch(() => cached.delete(body))
    const [oldest] = cached.keys()
    if (cached.size > rememberedSignatures && oldest !== undefined) cached.delete(oldest)
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

const keyName = 'webhook-signatures'

/** The key that signs deliveries, made when it is first needed and stored as PKCS #8, sealed. */
export async function readWebhookPrivateKey(store: KeyStore): Promise<KeyObject> {
  const der = await serviceKey(store, keyName, async () => {
    const { privateKey } = await generateKeyPair()
    return createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' })
  })
  return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
}

/** Makes the key (PEM) the one that signs deliveries, in place of a generated one. */
export async function storeWebhookKey(store: KeyStore, privateKeyPem: string): Promise<void> {
  await replaceServiceKey(store, keyName, createPrivateKey(privateKeyPem).export({ type: 'pkcs8', format: 'der' }))
}

/** The PEM by which receivers verify deliveries. */
export async function readWebhookPublicKeyPem(store: KeyStore): Promise<string> {
  return createPublicKey(await readWebhookPrivateKey(store))
    .export({ type: 'spki', format: 'pem' })
    .toString()
}
