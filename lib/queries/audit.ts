import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuditFilters, AuditPage } from '#lib/console/audit.ts'
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
