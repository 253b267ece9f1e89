import { createPublicKey, type KeyObject } from 'node:crypto'
import path from 'node:path'
import { processWide } from '#lib/shared/process-wide.ts'
import { readSigningKey } from './checkpoints.ts'

/** How the audit log proves itself. `syslog` is where checkpoints are sent as RFC 5424 messages. */
export type AuditSettings = {
  signingKey: KeyObject
  publicKey: KeyObject
  checkpointFile: string
  sinkUrl: string | null
  syslog: { protocol: 'udp' | 'tcp'; host: string; port: number } | null
}

/** As the launcher left them in the environment; null without a key, as in commands and tests. */
export const auditSettings = processWide<AuditSettings | null>('carddeskAuditSettings', () =>
  readAuditSettings(process.env),
)

function readAuditSettings(variables: Readonly<Record<string, string | undefined>>): AuditSettings | null {
  const { AUDIT_SIGNING_KEY, AUDIT_CHECKPOINTS, AUDIT_SINK_URL, AUDIT_SYSLOG, DATA_DIR } = variables
  if (!AUDIT_SIGNING_KEY) return null
  const signingKey = readSigningKey(AUDIT_SIGNING_KEY)
  return {
    signingKey,
    publicKey: createPublicKey(signingKey),
    checkpointFile: checkpointFileOf(AUDIT_CHECKPOINTS, DATA_DIR),
    sinkUrl: AUDIT_SINK_URL?.trim() || null,
    syslog: syslogOf(AUDIT_SYSLOG?.trim() ?? ''),
  }
}

/** The file of the checkpoints: as set, otherwise in the data folder. */
export function checkpointFileOf(setting: string | undefined, dataDir = '.data'): string {
  return path.resolve(setting?.trim() || path.join(dataDir, 'audit', 'checkpoints.jsonl'))
}

/** `udp://host:514` or `tcp://host:601`; null for anything else. */
export function syslogOf(text: string): AuditSettings['syslog'] {
  const url = URL.parse(text)
  const protocol = url?.protocol === 'udp:' ? 'udp' : url?.protocol === 'tcp:' ? 'tcp' : null
  if (!url || !protocol || !url.hostname || (url.pathname !== '' && url.pathname !== '/')) return null
  return { protocol, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 514) }
}
