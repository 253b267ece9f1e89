import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { readOrMakeSecret } from '#lib/db/stored-secret.ts'
import { readPem } from '#lib/settings/settings.ts'
import { strongBits } from '#lib/signing/keys.ts'

/** Keys that need no setting: each is taken from its setting, else from `DATA_DIR/keys`, where the first start makes it. */
export type Keys = {
  CARD_NUMBER_KEY: string
  CONSOLE_SEALING_KEY: string
  NEXTAUTH_SECRET: string
  /** PEM of the Ed25519 key that signs checkpoints of the audit log. It is never in the database. */
  AUDIT_SIGNING_KEY: string
}

const makers: { [Name in keyof Keys]: { file: string; make: () => string } } = {
  CARD_NUMBER_KEY: { file: 'card-number-key', make: () => randomBytes(32).toString('base64') },
  CONSOLE_SEALING_KEY: { file: 'console-sealing-key', make: () => randomBytes(32).toString('base64') },
  NEXTAUTH_SECRET: { file: 'nextauth-secret', make: () => randomBytes(48).toString('base64url') },
  AUDIT_SIGNING_KEY: {
    file: 'audit-signing-key.pem',
    make: () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  },
}

export function readKeys(dataDir: string, given: Partial<Keys>): Keys {
  const key = (name: keyof Keys) =>
    given[name] ?? readOrMakeSecret(path.join(dataDir, 'keys', makers[name].file), makers[name].make)
  return {
    CARD_NUMBER_KEY: key('CARD_NUMBER_KEY'),
    CONSOLE_SEALING_KEY: key('CONSOLE_SEALING_KEY'),
    NEXTAUTH_SECRET: key('NEXTAUTH_SECRET'),
    AUDIT_SIGNING_KEY: readPem(key('AUDIT_SIGNING_KEY')),
  }
}

/** The callers of the built-in service: the console itself (`sandbox`), and the reader of the access file (`caller`). */
export type ServiceIdentity = { accessKey: string; privateKeyFile: string; publicKeyPem: string }

export function readServiceIdentity(dataDir: string, name: 'sandbox' | 'caller'): ServiceIdentity {
  const privateKeyFile = path.join(dataDir, 'keys', `service-${name}.pem`)
  const privateKeyPem = readOrMakeSecret(privateKeyFile, () =>
    generateKeyPairSync('rsa', { modulusLength: strongBits })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  )
  const accessKey = readOrMakeSecret(path.join(dataDir, 'keys', `service-${name}-access-key`), randomUUID)
  const publicKeyPem = createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString()
  return { accessKey, privateKeyFile, publicKeyPem }
}
