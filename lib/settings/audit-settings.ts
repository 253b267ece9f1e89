import { createPublicKey, type KeyObject } from 'node:crypto'
import path from 'node:path'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { readSigningKey } from '#lib/signing/keys.ts'
import { parseSettings, readPem } from './settings.ts'

/** How the audit log proves itself. `entriesUrl` is where a copy of its entries is sent. */
export type AuditSettings = {
  signingKey: KeyObject
  publicKey: KeyObject
  checkpointFile: string
  entriesUrl: string | null
}

/** The settings of this process; null without a key, as in commands and tests. */
export const auditSettings = globalSingleton<AuditSettings | null>('carddeskAuditSettings', () => {
  const { values } = parseSettings(process.env)
  if (!values.AUDIT_SIGNING_KEY) return null
  const signingKey = readSigningKey(readPem(values.AUDIT_SIGNING_KEY))
  return {
    signingKey,
    publicKey: createPublicKey(signingKey),
    checkpointFile: checkpointFilePath(values.DATA_DIR),
    entriesUrl: values.AUDIT_ENTRIES_URL ?? null,
  }
})

/** The file of the checkpoints in the data folder. */
export function checkpointFilePath(dataDir = '.data'): string {
  return path.resolve(dataDir, 'audit', 'checkpoints.jsonl')
}
