import { createLoader } from 'nuqs/server'
import { auditParams } from '#components/audit/audit-params.ts'

export const loadAuditParams = createLoader(auditParams)
