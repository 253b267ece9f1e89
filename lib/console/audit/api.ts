import 'server-only'
import { auditReads } from '#lib/api/audit.ts'
import { implement } from '#lib/gate/implement.ts'
import { readAuditEntry } from './detail.ts'
import { readAuditIntegrity } from './integrity.ts'
import { listAudit } from './list.ts'

export const auditApi = implement(auditReads, { listAudit, readAuditIntegrity, readAuditEntry })
