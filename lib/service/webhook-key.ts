import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { generateKeyPair } from '#lib/signing/keys.ts'
import { serviceKey, type KeyStore } from './service-keys.ts'

/** The key that signs deliveries, made when it is first needed and stored as PKCS #8, sealed. */
export async function webhookPrivateKey(store: KeyStore): Promise<KeyObject> {
  const der = await serviceKey(store, 'webhook-signatures', async () => {
    const { privateKey } = await generateKeyPair()
    return createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' })
  })
  return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
}

/** The PEM by which receivers verify deliveries. */
export async function webhookPublicKeyPem(store: KeyStore): Promise<string> {
  return createPublicKey(await webhookPrivateKey(store))
    .export({ type: 'spki', format: 'pem' })
    .toString()
}
