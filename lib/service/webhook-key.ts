import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '#lib/db/connection.ts'
import { serviceKey } from './service-keys.ts'

const generate = promisify(generateKeyPair)

/** The key that signs deliveries, made when it is first needed and kept as PKCS #8. */
export async function webhookPrivateKey(db: Database): Promise<KeyObject> {
  const der = await serviceKey(db, 'webhook-signatures', async () => {
    const { privateKey } = await generate('rsa', { modulusLength: 2048 })
    return privateKey.export({ type: 'pkcs8', format: 'der' })
  })
  return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
}

/** The PEM by which receivers verify deliveries. */
export async function webhookPublicKeyPem(db: Database): Promise<string> {
  return createPublicKey(await webhookPrivateKey(db))
    .export({ type: 'spki', format: 'pem' })
    .toString()
}
