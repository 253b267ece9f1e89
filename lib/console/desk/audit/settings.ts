import { createPublicKey, type KeyObject } from 'node:crypto'
import path from 'node:path'
import { parseSettings, pemOf, type Syslog } from '#lib/settings/settings.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { readSigningKey } from '#lib/signing/keys.ts'

/**
 * How the audit log proves itself. `syslog` is where checkpoints are sent as RFC 5424 messages, `entriesUrl` where entries are
 * sent.
 */
export type AuditSettings = {
  signingKey: KeyObject
  publicKey: KeyObject
  checkpointFile: string
  sinkUrl: string | null
  syslog: Syslog | null
  entriesUrl: string | null
}

/** The settings of this process; null without a key, as in commands and tests. */
export const auditSettings = processWide<AuditSettings | null>('carddeskAuditSettings', () => {
  const { values } = parseSettings(process.env)
  if (!values.AUDIT_SIGNING_KEY) return null
  const signingKey = readSigningKey(pemOf(values.AUDIT_SIGNING_KEY))
  return {
    signingKey,
    publicKey: createPublicKey(signingKey),
    checkpointFile: checkpointFileOf(values.AUDIT_CHECKPOINTS, values.DATA_DIR),
    sinkUrl: values.AUDIT_SINK_URL ?? null,
    syslog: values.AUDIT_SYSLOG ?? null,
    entriesUrl: values.AUDIT_ENTRIES_URL ?? null,
  }
})

/** The file of the checkpoints: as set, otherwise in the data folder. */
export function checkpointFileOf(setting: string | undefined, dataDir = '.data'): string {
  return path.resolve(setting ?? path.join(dataDir, 'audit', 'checkpoints.jsonl'))
}
