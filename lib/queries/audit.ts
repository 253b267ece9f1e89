import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuditFilters, AuditPage } from '#lib/console/desk/audit/audit.ts'
import type { AuditDetail } from '#lib/console/desk/audit/detail.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

export function auditQuery(environment: Environment, filters: AuditFilters = {}) {
  return queryOptions({
    queryKey: [environment, 'audit', filters],
    queryFn: ({ signal }) => readJson<AuditPage>(apiRoutes.audit(environment, filters), signal),
    placeholderData: keepPreviousData,
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}

export function auditEntryQuery(environment: Environment, number: number) {
  return queryOptions({
    queryKey: [environment, 'audit', 'entry', number],
    queryFn: ({ signal }) => readJson<AuditDetail>(apiRoutes.auditEntry(environment, number), signal),
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}
