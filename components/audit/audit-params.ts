import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayRange } from '#components/transactions/day-range.ts'
import { parseAsDay, parseAsUuid } from '#components/transactions/transaction-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { AuditFilters } from '#lib/console/audit.ts'

/** What the address of the audit trail keeps. */
export const auditParams = {
  by: parseAsString,
  act: parseAsString,
  outcome: parseAsStringLiteral(['done', 'refused', 'unknown'] as const),
  target: parseAsUuid,
  since: parseAsDay,
  until: parseAsDay,
  pageToken: parseAsString,
}

export type AuditParams = Record<keyof typeof auditParams, string | null>

export const noAuditFilters = {
  by: null,
  act: null,
  outcome: null,
  target: null,
  since: null,
  until: null,
  pageToken: null,
  from: null,
}

/** The filters of a read. Days are whole days of the page's zone; a range the wrong way round is put right. */
export function auditFilters(params: AuditParams, zone: PageZone): AuditFilters {
  const { since, until } = params
  const [first, last] = since !== null && until !== null && since > until ? [until, since] : [since, until]
  return {
    by: params.by ?? undefined,
    act: params.act ?? undefined,
    outcome: params.outcome ?? undefined,
    targetId: params.target ?? undefined,
    from: first ? dayRange(first, zone.name).from : undefined,
    to: last ? dayRange(last, zone.name).to : undefined,
    pageToken: params.pageToken ?? undefined,
  }
}
