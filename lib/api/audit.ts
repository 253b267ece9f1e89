import { defineReads, noPolling, sensitiveRecord } from './read.ts'
import { checked, choice, dateRange, defineSearch, refuseCardNumber, text, uuid } from './search.ts'

export const auditSearch = defineSearch({
  /** Id of the member of staff who acted. */
  by: uuid,
  act: text(64),
  outcome: choice('done', 'partial', 'refused', 'unknown'),
  targetId: text(256),
  /** Objects by a part of their name, their whole id, or the last four digits of a card. */
  object: checked(100, refuseCardNumber, 'must not be a card number'),
  operationId: uuid,
  /** Request ID of the service's response, or of the console's own. */
  requestId: checked(200, refuseCardNumber, 'must not be a card number'),
  /** The same person had acted on the same object before, or acted on their own access. */
  own: choice('true'),
  ...dateRange,
})

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
    poll: noPolling,
    staleOn: { operation: true },
    sensitive: sensitiveRecord('audit-entry'),
  },
})
