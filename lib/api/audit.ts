import { defineReads, once, sensitiveRecord } from './read.ts'

export const auditReads = defineReads({
  listAudit: { path: 'audit', needs: 'audit.read', poll: { keepsRows: true }, staleOn: { operation: true } },
  readAuditIntegrity: {
    path: 'audit/integrity',
    needs: 'session',
    poll: { every: 30_000, staleAfter: 10_000 },
    staleOn: { operation: true },
  },
  readAuditEntry: {
    path: 'audit/[number]',
    needs: 'audit.read',
    poll: once,
    staleOn: { operation: true },
    sensitive: sensitiveRecord('audit-entry'),
  },
})
