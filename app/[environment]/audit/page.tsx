import { HydrationBoundary } from '@tanstack/react-query'
import { auditFilters } from '#components/audit/audit-params.ts'
import { AuditScreen } from '#components/audit/audit-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { pageZone } from '../card-accounts/[cardAccountId]/search-params.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'
import { loadAuditParams } from './search-params.ts'

export const metadata = { title: 'Audit' }

export default async function AuditPage({ params, searchParams }: PageProps<'/[environment]/audit'>) {
  const environment = environmentOf((await params).environment)
  const filters = auditFilters(await loadAuditParams(searchParams), await pageZone())
  const state = await prefetch(routes.audit(environment, await searchParams), read('listAudit', environment, filters))
  return (
    <HydrationBoundary state={state}>
      <AuditScreen environment={environment} />
    </HydrationBoundary>
  )
}
