import { parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/address-parsers.ts'
import { wholeDays } from '#components/filters/day-range.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import type { AuditFilters } from '#lib/console/desk/audit/audit.ts'

/** What the address of the audit trail keeps. `open` is the number of the entry whose details are shown. */
export const auditParams = {
  by: parseAsString,
  act: parseAsString,
  outcome: parseAsStringLiteral(['done', 'refused', 'unknown'] as const),
  target: parseAsServiceId,
  since: parseAsDay,
  until: parseAsDay,
  pageToken: parseAsString,
  open: parseAsInteger,
}

export type AuditParams = Record<Exclude<keyof typeof auditParams, 'open'>, string | null>

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
  const { from, to } = wholeDays(params, zone)
  return {
    by: params.by ?? undefined,
    act: params.act ?? undefined,
    outcome: params.outcome ?? undefined,
    targetId: params.target ?? undefined,
    from,
    to,
    pageToken: params.pageToken ?? undefined,
  }
}
