import 'server-only'
import { watched } from '#lib/audit/integrity.ts'
import { auditSettings } from '#lib/settings/audit-settings.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** `off`: no key is set, so nothing is signed. `pending`: not verified since the start. */
export type AuditIntegrity =
  | { state: 'off' | 'pending' }
  | { state: 'intact'; verifiedAt: string }
  | { state: 'broken'; verifiedAt: string; message: string; entry: number | null }

/** Whether the audit log holds, for everybody who is signed in: it is about the whole console, whatever the environment. */
export async function readAuditIntegrity(_environment: Environment): Promise<AuditIntegrity> {
  if (!auditSettings()) return { state: 'off' }
  const { break: broken, verifiedAt } = watched()
  if (!verifiedAt) return { state: 'pending' }
  if (!broken) return { state: 'intact', verifiedAt: verifiedAt.toISOString() }
  const entry = broken.in === 'entries' ? broken.number : null
  return { state: 'broken', verifiedAt: verifiedAt.toISOString(), message: broken.message, entry }
}
