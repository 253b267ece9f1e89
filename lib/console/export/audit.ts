import 'server-only'
import { listAudit, type AuditFilters } from '../desk/audit/audit.ts'
import type { AuditEntry } from '../desk/shapes.ts'
import { exportOf } from './list.ts'

export const auditExport = exportOf<AuditEntry>({
  title: 'Audit trail',
  permission: 'audit.read',
  async read(environment, search) {
    const { entries, nextPageToken } = await listAudit(environment, search as AuditFilters)
    return { rows: entries, nextPageToken }
  },
  columns: [
    { name: 'Number', value: ({ number }) => number },
    { name: 'At', value: ({ at: instant }, at) => at(instant) },
    { name: 'By', value: ({ by }) => by?.name },
    { name: 'Role', value: ({ by }) => by?.role },
    { name: 'Staff id', value: ({ by }) => by?.id },
    { name: 'Environment', value: ({ environment }) => environment },
    { name: 'What', value: ({ act }) => act },
    { name: 'On', value: ({ target }) => target?.type },
    { name: 'On id', value: ({ target }) => target?.id },
    { name: 'On label', value: ({ target }) => target?.label },
    { name: 'Account', value: ({ facts }) => facts.account?.name },
    { name: 'Account id', value: ({ facts }) => facts.account?.id },
    { name: 'External ID', value: ({ facts }) => facts.account?.xid },
    { name: 'Limit before', value: ({ facts }) => facts.limit?.before },
    { name: 'Limit after', value: ({ facts }) => facts.limit?.after },
    { name: 'Currency', value: ({ facts }) => facts.limit?.currency },
    { name: 'URL', value: ({ facts }) => facts.address },
    { name: 'Outcome', value: ({ outcome }) => outcome },
    { name: 'Code', value: ({ code }) => code },
    { name: 'Reason', value: ({ reason }) => reason },
    { name: 'Comment', value: ({ comment }) => comment },
    { name: 'IP address', value: ({ details }) => details.ipAddress },
    { name: 'Link valid until', value: ({ details }, at) => at(details.linkExpiresAt ?? null) },
    { name: 'Operation', value: ({ operationId }) => operationId },
    { name: 'Request', value: ({ requestId }) => requestId },
    { name: 'Request to Carddesk', value: ({ details }) => details.consoleRequestId },
    { name: 'SHA-256 of the body', value: ({ facts }) => facts.bodySha256 },
    { name: 'Hash', value: ({ hash }) => hash },
  ],
})
